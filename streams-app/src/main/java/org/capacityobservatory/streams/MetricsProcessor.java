package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.capacityobservatory.metrics.Dimensions;
import org.capacityobservatory.metrics.MetricsConfig;
import org.capacityobservatory.streams.CellTable.RowSink;
import org.jspecify.annotations.Nullable;

/** Folds each line into its cells per minute, and publishes the cells' revisions. */
final class MetricsProcessor implements Processor<byte[], TimedEvent, byte[], byte[]> {
  static final String TABLE_HEADER = "table";

  /**
   * Each publication is an insert a table and partition for the store, however little is in it.
   * Pages look less often than this, and alarms judge whole minutes.
   */
  static final Duration PUBLISH_EVERY = Duration.ofSeconds(2);

  /** A backfill opens minutes that are long closed; they are swept up this often. */
  private static final long SWEEP_EVERY_MILLIS = 30_000;

  private final MetricsConfig config;
  private final String linesTopicId;
  private final StreamsMeters meters;
  private @Nullable ProcessorContext<byte[], byte[]> context;
  private @Nullable Minutes minutes;
  private @Nullable EventClocks clocks;
  private @Nullable CellRows rows;
  private long closedUntilMillis;
  private long sweptAtMillis;
  private String publishedState = "";

  /**
   * Makes the processor.
   *
   * @param linesTopicId Kafka's own id of the topic of lines, to notice when it is another one
   */
  MetricsProcessor(MetricsConfig config, String linesTopicId, StreamsMeters meters) {
    this.config = config;
    this.linesTopicId = linesTopicId;
    this.meters = meters;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    long now = context.currentSystemTimeMs();
    CellRows cellRows = new CellRows(context.taskId().partition());
    rows = cellRows;
    minutes = Minutes.stored(context, new Dimensions(config, meters), cellRows);
    EventClocks eventClocks =
        new EventClocks(
            config,
            context.getStateStore(CapacityTopology.SOURCES_STORE),
            context.getStateStore(CapacityTopology.PARTITION_STORE),
            now);
    eventClocks.requireTopic(linesTopicId);
    clocks = eventClocks;
    closedUntilMillis = PartitionClock.NEVER;
    sweptAtMillis = now;
    publishedState = "";
    context.schedule(PUBLISH_EVERY, PunctuationType.WALL_CLOCK_TIME, this::publish);
  }

  @Override
  public void process(Record<byte[], TimedEvent> record) {
    TimedEvent timed = record.value();
    LinePlace place = timed.place();
    if (!place.hasEventTime()) {
      return;
    }
    long now = required(context).currentSystemTimeMs();
    boolean late =
        required(clocks).move(place.source(), place.eventAtMillis(), place.readAtMillis(), now);
    if (late) {
      meters.countLateLine();
    }
    required(minutes).add(timed.event(), place.eventAtMillis(), place.kafka().offset(), now);
  }

  private void publish(long nowMillis) {
    EventClocks now = required(clocks);
    now.tick(nowMillis);
    Minutes cells = required(minutes);
    cells.publishChanged(table -> to(table, nowMillis));
    boolean moved = now.closedUntilMillis() > closedUntilMillis;
    if (moved || nowMillis - sweptAtMillis >= SWEEP_EVERY_MILLIS) {
      closedUntilMillis = now.closedUntilMillis();
      sweptAtMillis = nowMillis;
      cells.closeBefore(
          now.closedUntilMillis(), now.occupancyClosedUntilMillis(), table -> to(table, nowMillis));
    }
    publishState(now, nowMillis);
  }

  private void publishState(EventClocks now, long nowMillis) {
    String state =
        now.completeUntilMillis()
            + "/"
            + now.partition().lateLines()
            + "/"
            + now.partition().futureTimes();
    if (now.sources() > 0 && !state.equals(publishedState)) {
      publishedState = state;
      now.countRevision();
      to("minutes_state", nowMillis).row(required(rows).state(now, nowMillis));
    }
  }

  /**
   * Rows of all tables have the lines' partition as their key, and so come into one partition of
   * the metrics in the order in which they were published: a row that says what is complete stands
   * behind all rows that it speaks of.
   */
  private RowSink to(String table, long nowMillis) {
    byte[] tableName = table.getBytes(UTF_8);
    byte[] key = Integer.toString(required(context).taskId().partition()).getBytes(UTF_8);
    return row ->
        required(context)
            .forward(
                new Record<>(
                    key, row, nowMillis, new RecordHeaders().add(TABLE_HEADER, tableName)));
  }

  private static <V> V required(@Nullable V value) {
    if (value == null) {
      throw new IllegalStateException("Not initialised");
    }
    return value;
  }
}
