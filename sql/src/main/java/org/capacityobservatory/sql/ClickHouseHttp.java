package org.capacityobservatory.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Plain HTTP to ClickHouse, for what JDBC has no words for: migrations and the insertion of blocks.
 *
 * <p>Safe for use by several threads.
 */
public final class ClickHouseHttp {
  private static final Pattern WRITTEN_ROWS = Pattern.compile("\"written_rows\":\"(\\d+)\"");
  private static final int MESSAGE_CHARS = 500;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final ClickHouseConfig config;
  private final Duration timeout;
  private final HttpClient client;

  /**
   * A client for one server.
   *
   * @param config where and as whom
   * @param timeout how long a request may take, connection included
   */
  public ClickHouseHttp(ClickHouseConfig config, Duration timeout) {
    this.config = config;
    this.timeout = timeout;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(timeout.compareTo(CONNECT_TIMEOUT) < 0 ? timeout : CONNECT_TIMEOUT)
            .build();
  }

  /**
   * Runs a statement in the configured database.
   *
   * @return the answer's body, in the statement's own FORMAT or as tab-separated values
   * @throws ClickHouseException when ClickHouse is not reached or refuses
   */
  public String execute(String statement) {
    return execute(statement, Map.of("database", config.database()));
  }

  /** Runs a statement outside any database, for example to create one. */
  String executeOutsideDatabase(String statement) {
    return execute(statement, Map.of());
  }

  private String execute(String statement, Map<String, String> parameters) {
    return send(parameters, BodyPublishers.ofString(statement)).body();
  }

  /**
   * Inserts rows as one block and returns only when ClickHouse has said that they are stored.
   *
   * <p>The same token with the same rows is stored once within the table's deduplication window, so
   * a block whose answer was lost may be sent again.
   *
   * @param table a table of the database; a name of this program's own, never input
   * @param jsonEachRow pieces that together are the rows as JSON objects, one a line
   * @param rows how many rows these are
   * @param token made from the rows' place, so that one token always means the same rows
   * @throws ClickHouseException when the block isn't proven to be stored
   */
  public void insertBlock(String table, List<byte[]> jsonEachRow, long rows, String token) {
    insert(table, "JSONEachRow", BodyPublishers.ofByteArrays(jsonEachRow), rows, token);
  }

  /**
   * Inserts many rows as one block, as above.
   *
   * @param token made from the rows' place, so that one token always means the same rows
   * @throws ClickHouseException when the block isn't proven to be stored
   */
  public void insertBlock(NativeRows rows, String token) {
    BodyPublisher body = BodyPublishers.ofByteArray(rows.toBytes());
    insert(rows.table(), "Native", body, rows.rows(), token);
  }

  private void insert(String table, String format, BodyPublisher body, long rows, String token) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("database", config.database());
    parameters.put("query", "INSERT INTO " + table + " FORMAT " + format);
    parameters.put("insert_deduplication_token", token);
    // One block: an insert that is split would share one token between different blocks.
    parameters.put("max_insert_block_size", Long.toString(Math.max(rows, 1)));
    parameters.put("min_insert_block_size_rows", Long.toString(Math.max(rows, 1)));
    parameters.put("min_insert_block_size_bytes", "0");
    parameters.put("input_format_parallel_parsing", "0");
    parameters.put("async_insert", "0");
    // Doubles collapse when they are read and merged; looking for them in each block costs more CPU
    // than all the rest of an insert.
    parameters.put("optimize_on_insert", "0");
    // On a cluster: answer when the shards have the rows, not when they are to be sent there.
    parameters.put("distributed_foreground_insert", "1");
    parameters.put("input_format_skip_unknown_fields", "0");
    parameters.put("input_format_null_as_default", "0");
    proveStored(table, rows, send(parameters, body));
  }

  private static void proveStored(String table, long rows, HttpResponse<String> answer) {
    String summary = answer.headers().firstValue("X-ClickHouse-Summary").orElse("");
    Matcher written = WRITTEN_ROWS.matcher(summary);
    if (!written.find()) {
      throw new ClickHouseException(
          "ClickHouse took "
              + rows
              + " rows of "
              + table
              + " without saying how many it stored: a proxy may have dropped the header"
              + " X-ClickHouse-Summary");
    }
    long count = Long.parseLong(written.group(1));
    // A repeated block may report that it wrote nothing.
    if (count != rows && count != 0) {
      throw new ClickHouseException(
          "ClickHouse stored " + count + " of " + rows + " rows of " + table);
    }
  }

  private HttpResponse<String> send(Map<String, String> parameters, BodyPublisher body) {
    HttpRequest request =
        HttpRequest.newBuilder(uri(parameters))
            .timeout(timeout)
            .header("X-ClickHouse-User", config.user())
            .header("X-ClickHouse-Key", config.password())
            .POST(body)
            .build();
    HttpResponse<String> answer;
    try {
      answer = client.send(request, BodyHandlers.ofString(UTF_8));
    } catch (IOException e) {
      throw new ClickHouseException(
          "ClickHouse at " + config.url() + " can't be reached: is it running? (" + e + ")", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClickHouseException("Interrupted while waiting for ClickHouse", e);
    }
    int code =
        answer.headers().firstValue("X-ClickHouse-Exception-Code").map(Integer::parseInt).orElse(0);
    if (answer.statusCode() != 200 || code != 0) {
      throw new ClickHouseException(
          "ClickHouse at "
              + config.url()
              + " refused ("
              + answer.statusCode()
              + "): "
              + shortened(answer.body()),
          code);
    }
    return answer;
  }

  private URI uri(Map<String, String> parameters) {
    String query =
        parameters.entrySet().stream()
            .map(p -> p.getKey() + "=" + URLEncoder.encode(p.getValue(), UTF_8))
            .collect(Collectors.joining("&"));
    return config.url().resolve("/?" + query);
  }

  private static String shortened(String text) {
    String line = text.strip();
    return line.length() <= MESSAGE_CHARS ? line : line.substring(0, MESSAGE_CHARS) + "…";
  }
}
