package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.function.BiConsumer;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.capacityobservatory.metrics.DecisionKey;
import org.capacityobservatory.metrics.LatencyKey;
import org.capacityobservatory.metrics.LatencyKey.Measure;
import org.capacityobservatory.metrics.LatencyTally;
import org.capacityobservatory.metrics.Minute;
import org.jspecify.annotations.Nullable;

/** Folds each call into its cells per minute, and publishes the cells' revisions. */
final class MetricsProcessor implements Processor<byte[], Object, byte[], byte[]> {
  static final String TABLE_HEADER = "table";
  static final String DECISIONS_TABLE = "decisions_minute";
  static final String LATENCY_TABLE = "latency_minute";

  private static final Duration PUBLISH_EVERY = Duration.ofMillis(500);
  private static final Duration CLOSE_EVERY = Duration.ofSeconds(30);

  private final Duration closeAfter;
  private @Nullable ProcessorContext<byte[], byte[]> context;
  private @Nullable CellTable<DecisionKey, Long> decisions;
  private @Nullable CellTable<LatencyKey, LatencyTally> latencies;

  /**
   * Makes the processor.
   *
   * @param closeAfter how long a cell may rest, by wall clock, before it is closed and forgotten
   */
  MetricsProcessor(Duration closeAfter) {
    this.closeAfter = closeAfter;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    long now = context.currentSystemTimeMs();
    int partition = context.taskId().partition();
    decisions =
        new CellTable<>(
            context.getStateStore(CapacityTopology.DECISIONS_STORE),
            (key, cell, closed) -> CellRows.decision(partition, key, cell, closed),
            now);
    latencies =
        new CellTable<>(
            context.getStateStore(CapacityTopology.LATENCY_STORE),
            (key, cell, closed) -> CellRows.latency(partition, key, cell, closed),
            now);
    context.schedule(PUBLISH_EVERY, PunctuationType.WALL_CLOCK_TIME, this::publish);
    context.schedule(CLOSE_EVERY, PunctuationType.WALL_CLOCK_TIME, this::close);
  }

  @Override
  public void process(Record<byte[], Object> record) {
    TimedCall timed = (TimedCall) record.value();
    long offset = required(context).recordMetadata().orElseThrow().offset();
    long minute = Minute.startOf(timed.endedAtMillis());
    long now = required(context).currentSystemTimeMs();
    required(decisions)
        .fold(new CellKey<>(minute, DecisionKey.of(timed.call())), offset, 0L, n -> n + 1, now);
    for (Measure measure : Measure.values()) {
      required(latencies)
          .fold(
              new CellKey<>(minute, LatencyKey.of(timed.call(), measure)),
              offset,
              new LatencyTally(),
              tally -> {
                tally.add(measure.of(timed.call()));
                return tally;
              },
              now);
    }
  }

  private void publish(long nowMillis) {
    required(decisions).publishChanged(to(DECISIONS_TABLE, nowMillis));
    required(latencies).publishChanged(to(LATENCY_TABLE, nowMillis));
  }

  private void close(long nowMillis) {
    long since = nowMillis - closeAfter.toMillis();
    required(decisions).closeUntouchedSince(since, to(DECISIONS_TABLE, nowMillis));
    required(latencies).closeUntouchedSince(since, to(LATENCY_TABLE, nowMillis));
  }

  private <K> BiConsumer<CellKey<K>, byte[]> to(String table, long nowMillis) {
    byte[] tableName = table.getBytes(UTF_8);
    return (key, row) ->
        required(context)
            .forward(
                new Record<>(
                    Long.toString(key.minuteMillis()).getBytes(UTF_8),
                    row,
                    nowMillis,
                    new RecordHeaders().add(TABLE_HEADER, tableName)));
  }

  private static <V> V required(@Nullable V value) {
    if (value == null) {
      throw new IllegalStateException("Not initialised");
    }
    return value;
  }
}
