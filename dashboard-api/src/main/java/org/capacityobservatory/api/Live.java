package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.javalin.http.Context;
import io.javalin.http.sse.SseClient;
import io.javalin.http.sse.SseHandler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls as they come, and live numbers, to many browsers from one reading of the database.
 *
 * <p>While nobody listens nothing is read. A call that comes more than 15 minutes late isn't live
 * any more and isn't shown.
 */
final class Live implements AutoCloseable {
  static final List<String> FILTERS = List.of("decision", "tier", "endpoint", "scope");

  private static final Logger log = LoggerFactory.getLogger(Live.class);
  private static final String EVENTS = "text/event-stream";
  private static final int MOST_STREAMS = 32;
  private static final int MOST_CALLS = 200;
  private static final int FIRST_CALLS = 50;
  private static final int REMEMBERED = 5_000;
  private static final Duration EVERY = Duration.ofSeconds(2);
  private static final Duration LIVE_FOR = Duration.ofMinutes(15);
  private static final Duration NUMBERS_OVER = Duration.ofMinutes(5);

  private final Store store;
  private final CallsResource calls;
  private final Completeness completeness;
  private final InstantSource clock;
  private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
  private final ScheduledFuture<?> ticking;
  private final Set<String> seen = new LinkedHashSet<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "live");
            thread.setDaemon(true);
            return thread;
          });

  Live(Store store, CallsResource calls, Completeness completeness, InstantSource clock) {
    this.store = store;
    this.calls = calls;
    this.completeness = completeness;
    this.clock = clock;
    ticking =
        timer.scheduleWithFixedDelay(
            this::tick, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Live numbers; the parts are as the API's description has them. */
  record Numbers(Instant asOf, @Nullable Instant completeUntil, Counts last5Minutes) {}

  /** One browser that listens. */
  final class Stream {
    private final Map<String, List<String>> filters;
    private volatile @Nullable SseClient client;
    private boolean fresh = true;

    Stream(Map<String, List<String>> filters) {
      this.filters = filters;
    }

    /** Begins to answer; returns at once. */
    void open(Context request) {
      if (!EVENTS.equals(request.header("Accept"))) {
        streams.remove(this);
        throw new ProblemException(
            Problem.of("not-acceptable", 406, "A stream of events", "Send Accept: " + EVENTS));
      }
      new SseHandler(
              0,
              opened -> {
                opened.keepAlive();
                opened.onClose(() -> streams.remove(this));
                client = opened;
                timer.execute(Live.this::tick);
              })
          .handle(request);
    }

    private boolean wants(Map<String, @Nullable Object> call) {
      return filters.entrySet().stream()
          .allMatch(
              filter ->
                  filter.getValue().isEmpty()
                      || filter.getValue().contains(String.valueOf(call.get(filter.getKey()))));
    }

    private void send(String event, Object data) {
      SseClient to = client;
      if (to != null && !to.terminated()) {
        to.sendEvent(event, new String(Json.bytes(data), UTF_8));
      }
    }

    private void close() {
      SseClient to = client;
      if (to != null) {
        to.close();
      }
    }
  }

  Stream stream(Ask ask) {
    Parameters parameters = ask.parameters();
    Map<String, List<String>> filters = new java.util.HashMap<>();
    FILTERS.forEach(name -> filters.put(name, parameters.many(name)));
    parameters.check();
    if (streams.size() >= MOST_STREAMS) {
      throw new ProblemException(
          Problem.of(
              "too-many-streams",
              429,
              "Too many live streams",
              MOST_STREAMS + " are open: close one, or poll instead"));
    }
    Stream stream = new Stream(filters);
    streams.add(stream);
    return stream;
  }

  private void tick() {
    if (streams.isEmpty()) {
      return;
    }
    try {
      Instant now = clock.instant();
      List<Map<String, @Nullable Object>> newest =
          calls.newest(
              new Period(now.minus(LIVE_FOR), now.plus(LIVE_FOR)), MOST_CALLS, Caller.ANYONE);
      List<Map<String, @Nullable Object>> unseen = new ArrayList<>();
      for (Map<String, @Nullable Object> call : newest) {
        if (seen.add(String.valueOf(call.get("event_id")))) {
          unseen.add(call);
        }
      }
      forget();
      Numbers numbers = numbers(now);
      for (Stream stream : streams) {
        List<Map<String, @Nullable Object>> wanted =
            (stream.fresh ? newest : unseen).stream().filter(stream::wants).toList();
        if (stream.client == null) {
          continue;
        }
        stream.send("numbers", numbers);
        if (stream.fresh || !wanted.isEmpty()) {
          stream.send("calls", stream.fresh ? wanted.stream().limit(FIRST_CALLS).toList() : wanted);
        }
        stream.fresh = false;
      }
    } catch (ProblemException e) {
      streams.forEach(stream -> stream.send("problem", e.problem()));
    } catch (RuntimeException e) {
      log.error("Live streams failed for once", e);
    }
  }

  private void forget() {
    Iterator<String> oldest = seen.iterator();
    while (seen.size() > REMEMBERED && oldest.hasNext()) {
      oldest.next();
      oldest.remove();
    }
  }

  private Numbers numbers(Instant now) {
    Instant end = now.truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES);
    Instant start = now.truncatedTo(ChronoUnit.MINUTES).minus(NUMBERS_OVER);
    Counts counts = new Counts();
    store.list(
        "decisions-by-step",
        new Filters().over(new Period(start, end)).with("step_s", 60L).values(),
        (row, context) -> {
          counts.add(row.getString("decision_name"), row.getLong("n"));
          return 1;
        });
    return new Numbers(now, completeness.until(now), counts);
  }

  @Override
  public void close() {
    ticking.cancel(true);
    timer.shutdownNow();
    streams.forEach(Stream::close);
  }
}
