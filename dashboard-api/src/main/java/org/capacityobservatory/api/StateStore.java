package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.ClickHouseException;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what the API keeps for its users: rows that are whole new revisions, never changes.
 *
 * <p>By a database user of its own, who needs to insert into these few tables only.
 */
final class StateStore {
  private static final Logger log = LoggerFactory.getLogger(StateStore.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  /** As a DateTime64(3) in UTC takes it. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final @Nullable ClickHouseHttp writer;

  StateStore(@Nullable ClickHouseConfig writer) {
    this.writer = writer == null ? null : new ClickHouseHttp(writer, TIMEOUT);
  }

  boolean writable() {
    return writer != null;
  }

  /**
   * Makes sure that state can be written.
   *
   * @throws ProblemException when the API has no user for it
   */
  void require() {
    if (writer == null) {
      throw new ProblemException(
          Problem.of(
              "state-not-writable",
              503,
              "Nothing can be kept here",
              "The API has no database user that may write: start it with --state-user"));
    }
  }

  /**
   * Writes one row; times as {@link Instant}.
   *
   * @param token the same for the same row, so that a repeat is none
   * @throws ProblemException when ClickHouse can't be reached or refuses
   */
  void write(String table, Map<String, @Nullable Object> row, String token) {
    require();
    ClickHouseHttp to = writer;
    if (to == null) {
      return;
    }
    Map<String, @Nullable Object> written = new LinkedHashMap<>();
    row.forEach(
        (name, value) ->
            written.put(
                name, value instanceof Instant time ? TIME.format(time) : value));
    try {
      byte[] line = (JSON.writeValueAsString(written) + "\n").getBytes(UTF_8);
      to.insertBlock(table, List.of(line), 1, token);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A row that can't be written", e);
    } catch (ClickHouseException e) {
      log.warn("Writing {} failed", table, e);
      throw new ProblemException(
          Problem.of(
              "store-refused",
              503,
              "ClickHouse did not take it",
              "It was not kept: check that ClickHouse runs and that the API's user for state may"
                  + " insert; the API's log says more"));
    }
  }
}
