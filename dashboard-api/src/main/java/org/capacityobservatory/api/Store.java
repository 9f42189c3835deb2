package org.capacityobservatory.api;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.net.ConnectException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.capacityobservatory.sql.NamedQuery;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the named queries within their limits, and turns what ClickHouse says into problems that
 * carry none of its text.
 */
final class Store {
  private static final Logger log = LoggerFactory.getLogger(Store.class);

  /** ClickHouse's codes for a query that went over a limit of its own. */
  private static final Set<Integer> OVER_LIMIT =
      Set.of(
          158, // too many rows
          159, // timeout exceeded
          160, // too slow
          241, // memory limit exceeded
          307, // too many bytes
          396); // too many rows or bytes

  /** Its codes for a setting that a user may not change: read only, or a constraint. */
  private static final Set<Integer> SETTING_REFUSED = Set.of(164, 452);

  /** How long a query waits for a slot: a page asks for many panels at once, some of them cold. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final ClickHouseConfig config;
  private final QueryLimits limits;
  private final MeterRegistry meters;
  private final Semaphore free;
  private final Map<String, String> texts = new ConcurrentHashMap<>();
  private final Sharing standing = new Sharing(Duration.ofSeconds(1), System::nanoTime);
  private volatile @Nullable Jdbi connected;

  Store(ClickHouseConfig config, QueryLimits limits, MeterRegistry meters) {
    this.config = config;
    this.limits = limits;
    this.meters = meters;
    this.free = new Semaphore(limits.maxConcurrent(), true);
  }

  /** Runs a query that takes values only. */
  <T> List<T> list(String query, Map<String, ?> values, RowMapper<T> rows) {
    return list(query, values, Map.of(), rows);
  }

  /**
   * Runs a query of what stands behind every answer, such as until when the data is complete: one
   * result for all who ask within a second, so a query asked this way always has the same mapper.
   */
  <T> List<T> standing(String query, RowMapper<T> rows) {
    Overheard.tell(query, Map.of(), Map.of());
    return standing.to(query, () -> run(query, Map.of(), Map.of(), rows));
  }

  /**
   * Runs a query.
   *
   * @param query its name in {@code sql/queries}
   * @param values bound by name
   * @param lists bound by name as lists; none may be empty
   * @throws ProblemException when ClickHouse can't be reached, refuses, or the query is too costly
   */
  <T> List<T> list(
      String query, Map<String, ?> values, Map<String, List<String>> lists, RowMapper<T> rows) {
    Overheard.tell(query, values, lists);
    return run(query, values, lists, rows);
  }

  private <T> List<T> run(
      String query, Map<String, ?> values, Map<String, List<String>> lists, RowMapper<T> rows) {
    String text = texts.computeIfAbsent(query, NamedQuery::text);
    return using(query, jdbi -> ask(jdbi, text, values, lists, rows));
  }

  /**
   * Lets some work of several queries use ClickHouse, as one.
   *
   * @param query a name for logs and meters
   * @throws ProblemException as {@link #list}
   */
  <T> T using(String query, Function<Jdbi, T> work) {
    Timer.Sample sample = Timer.start(meters);
    String outcome = "error";
    acquire();
    try {
      T result = work.apply(jdbi());
      outcome = "ok";
      return result;
    } catch (JdbiException e) {
      throw problem(query, e);
    } finally {
      free.release();
      sample.stop(
          Timer.builder("capacity.api.query")
              .description("Queries to ClickHouse")
              .tag("query", query)
              .tag("outcome", outcome)
              .register(meters));
    }
  }

  private static <T> List<T> ask(
      Jdbi jdbi,
      String text,
      Map<String, ?> values,
      Map<String, List<String>> lists,
      RowMapper<T> rows) {
    return jdbi.withHandle(
        handle -> {
          Query statement = handle.createQuery(text).bindMap(values);
          lists.forEach(statement::bindList);
          return statement.map(rows).list();
        });
  }

  private void acquire() {
    boolean acquired;
    try {
      acquired = free.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      acquired = false;
    }
    if (!acquired) {
      throw new ProblemException(
          Problem.of(
              "busy",
              503,
              "Too many queries at once",
              "All " + limits.maxConcurrent() + " query slots are in use: try again in a moment"));
    }
  }

  /**
   * The access to ClickHouse, with as many of the limits as its user may set.
   *
   * <p>A user with {@code readonly=1} may set few or none: then its profile has to carry them.
   */
  private Jdbi jdbi() {
    Jdbi known = connected;
    if (known != null) {
      return known;
    }
    return firstConnected();
  }

  private synchronized Jdbi firstConnected() {
    Jdbi known = connected;
    if (known != null) {
      return known;
    }
    for (Properties settings : List.of(limits.settings(), limits.settingsOfAReader())) {
      Jdbi limited = ClickHouse.queries(config, settings, clientTimeout());
      if (takes(limited)) {
        connected = limited;
        return limited;
      }
    }
    log.warn(
        "ClickHouse user {} may not set limits on its queries: its profile has to have them",
        config.user());
    Jdbi plain = ClickHouse.queries(config, new Properties(), clientTimeout());
    connected = plain;
    return plain;
  }

  private static boolean takes(Jdbi limited) {
    try {
      return limited.withHandle(
          handle -> handle.createQuery(NamedQuery.text("probe")).mapTo(Integer.class).one() == 1);
    } catch (JdbiException e) {
      if (SETTING_REFUSED.contains(clickHouseCode(e))) {
        return false;
      }
      throw e;
    }
  }

  /** Longer than ClickHouse's own limit, so that it is ClickHouse that ends a slow query. */
  private Duration clientTimeout() {
    return limits.maxExecutionTime().plusSeconds(5);
  }

  private ProblemException problem(String query, JdbiException e) {
    int code = clickHouseCode(e);
    if (OVER_LIMIT.contains(code)) {
      log.warn("Query {} went over a limit (ClickHouse code {})", query, code);
      return new ProblemException(
          Problem.of(
              "too-costly",
              422,
              "The question is too costly",
              "The query went over its limit of time, memory or rows: ask for a shorter range or"
                  + " with more filters"));
    }
    log.warn("Query {} failed", query, e);
    if (code == 0) {
      return new ProblemException(
          Problem.of(
              "store-unreachable",
              503,
              "ClickHouse can't be reached",
              "ClickHouse does not answer: check that it runs and where the API looks for it"));
    }
    return new ProblemException(
        Problem.of(
            "store-refused",
            503,
            "ClickHouse refused",
            "ClickHouse refused with code "
                + code
                + ": check its user's rights and that the schema is there; the API's log says more"));
  }

  /** ClickHouse's number for the error, 0 when it was never reached. */
  private static int clickHouseCode(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException) {
        return 0;
      }
      if (cause instanceof SQLException sql && sql.getErrorCode() != 0) {
        return sql.getErrorCode();
      }
    }
    return 0;
  }
}
