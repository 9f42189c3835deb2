package org.capacityobservatory.streams.writer;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.Migrations;
import org.capacityobservatory.sql.TableColumns;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves rows from the topics into ClickHouse; an offset is committed only when its rows are stored.
 *
 * <p>What is about to be stored is committed first, as an {@link Intent}. A writer that takes over
 * forms the same blocks with the same tokens, and ClickHouse drops those that it has. A double that
 * outlives ClickHouse's memory of tokens collapses by the tables' keys, and {@code verify} counts
 * it.
 */
public final class Writer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Writer.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration INSERT_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** Twice this waits in memory at most, besides the blocks that are being made of it. */
  private static final long MAX_BLOCK_BYTES = 32L << 20;

  /** Small blocks wait for the server's disk, large ones for its processors: a few at once. */
  private static final int INSERTS_AT_ONCE = 4;

  /** In the order in which a round stores them: rows of calls are waited for, minutes come anew. */
  private static final List<String> TOPICS =
      List.of(
          Topics.CALLS, Topics.CONFIG_CHANGES, Topics.DEAD_LETTERS, Topics.METRICS, Topics.BOOKS);

  private final WriterConfig config;
  private final ClickHouseHttp clickHouse;
  private final Map<String, String> topicIds;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final NavigableMap<TopicPartition, PartitionQueue> queues =
      new TreeMap<>(
          Comparator.<TopicPartition>comparingInt(partition -> TOPICS.indexOf(partition.topic()))
              .thenComparingInt(TopicPartition::partition));
  private final Pace pace;
  private final WriterMetrics metrics;
  private final Map<Table, TableColumns> columns = new EnumMap<>(Table.class);
  private final ExecutorService inserts =
      Executors.newFixedThreadPool(INSERTS_AT_ONCE, Writer::insertThread);
  private final Thread thread;
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private volatile boolean stopping;
  private long oldestWaitingNanos;

  private Writer(
      WriterConfig config,
      ClickHouseHttp clickHouse,
      Map<String, String> topicIds,
      MeterRegistry registry) {
    this.config = config;
    this.clickHouse = clickHouse;
    this.topicIds = topicIds;
    this.pace = new Pace(config.maxBlockAge());
    this.metrics = new WriterMetrics(registry);
    this.consumer = new KafkaConsumer<>(properties(config));
    for (Table table : Table.values()) {
      columns.put(table, TableColumns.of(clickHouse, table.tableName()));
    }
    this.thread = new Thread(this::run, "writer");
  }

  /**
   * Brings the tables up to date and starts the writer's thread.
   *
   * @throws org.capacityobservatory.sql.ClickHouseException when ClickHouse isn't reached or its
   *     schema isn't ours
   * @throws WriterException when a topic is missing, or isn't the one the database was filled from
   */
  public static Writer start(WriterConfig config, MeterRegistry registry) {
    ClickHouseHttp clickHouse = new ClickHouseHttp(config.clickHouse(), INSERT_TIMEOUT);
    Migrations.apply(clickHouse, config.clickHouse(), config.layout(), config.retention());
    Map<String, String> topicIds;
    try (Admin admin = Admin.create(clientProperties(config))) {
      topicIds = TopicIds.check(admin, clickHouse, TOPICS);
    }
    Writer writer = new Writer(config, clickHouse, topicIds, registry);
    writer.thread.start();
    return writer;
  }

  private static Thread insertThread(Runnable work) {
    Thread thread = new Thread(work, "writer-insert");
    thread.setDaemon(true);
    return thread;
  }

  private static Properties clientProperties(WriterConfig config) {
    Properties properties = new Properties();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    config.kafka().forEach(properties::put);
    return properties;
  }

  private static Properties properties(WriterConfig config) {
    Properties properties = new Properties();
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, config.groupId());
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    // A group without an offset, or with one that is gone, is a matter of ours: see StartPoint.
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, config.maxBlockRows());
    properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000);
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.putAll(clientProperties(config));
    return properties;
  }

  private void run() {
    try {
      consumer.subscribe(TOPICS, new Assignments());
      while (!stopping) {
        take(POLL);
        if (isDue()) {
          storeRound();
        }
      }
      storeRound();
    } catch (WakeupException e) {
      log.debug("Woken to stop", e);
    } catch (RuntimeException e) {
      log.error("The writer stops: its supervisor may start it again", e);
      failure.complete(e);
    } finally {
      inserts.shutdownNow();
      consumer.close();
    }
  }

  private void take(Duration patience) {
    try {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(patience)) {
        PartitionQueue queue = queues.get(new TopicPartition(record.topic(), record.partition()));
        if (queue == null) {
          throw new IllegalStateException("a record of a partition that isn't ours");
        }
        if (waitingRows() == 0) {
          oldestWaitingNanos = System.nanoTime();
        }
        queue.add(record);
      }
    } catch (OffsetOutOfRangeException e) {
      // What was to be read next is gone, or was never there: told apart as at the start.
      e.partitions().forEach(queues::remove);
      begin(e.partitions());
    }
  }

  private int waitingRows() {
    int rows = 0;
    for (PartitionQueue queue : queues.values()) {
      rows += queue.rows();
    }
    return rows;
  }

  private long waitingBytes() {
    long bytes = 0;
    for (PartitionQueue queue : queues.values()) {
      bytes += queue.bytes();
    }
    return bytes;
  }

  private boolean isDue() {
    int rows = waitingRows();
    if (rows == 0) {
      return false;
    }
    return rows >= config.maxBlockRows()
        || waitingBytes() >= MAX_BLOCK_BYTES
        || System.nanoTime() - oldestWaitingNanos >= pace.blockAge().toNanos();
  }

  /** Stores a batch of each partition: the intents, the blocks, then what is done. */
  private void storeRound() {
    long beganNanos = System.nanoTime();
    Map<TopicPartition, Batch> batches = batches();
    if (batches.isEmpty() || !commit(batches, this::intended)) {
      return;
    }
    store(batches);
    batches.values().removeIf(batch -> !batch.isStored());
    if (commit(batches, this::done)) {
      batches.values().forEach(Batch::forget);
    }
    // What came meanwhile waits since then.
    oldestWaitingNanos = beganNanos;
    measure();
  }

  private Map<TopicPartition, Batch> batches() {
    Map<TopicPartition, Batch> batches = new LinkedHashMap<>();
    queues.forEach(
        (partition, queue) -> {
          List<ConsumerRecord<byte[], byte[]>> records =
              queue.batch(consumer.position(partition), config.maxBlockRows(), MAX_BLOCK_BYTES);
          if (!records.isEmpty()) {
            batches.put(partition, new Batch(queue, records));
          }
        });
    return batches;
  }

  private OffsetAndMetadata intended(TopicPartition partition, Batch batch) {
    Intent intent = batch.intent();
    return progress(partition, intent.from(), intent);
  }

  private OffsetAndMetadata done(TopicPartition partition, Batch batch) {
    return progress(partition, batch.nextOffset(), null);
  }

  private OffsetAndMetadata progress(
      TopicPartition partition, long offset, @Nullable Intent intent) {
    return new Progress(offset, topicIds.get(partition.topic()), intent).committed();
  }

  /**
   * Commits for the batches whose partitions are still ours; the others are left out from here on.
   *
   * @return false when the group gave all to somebody else, who goes on from what is committed
   */
  private boolean commit(
      Map<TopicPartition, Batch> batches,
      BiFunction<TopicPartition, Batch, OffsetAndMetadata> offset) {
    while (true) {
      keepOurs(batches);
      if (batches.isEmpty()) {
        return true;
      }
      Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
      batches.forEach((partition, batch) -> offsets.put(partition, offset.apply(partition, batch)));
      try {
        consumer.commitSync(offsets);
        return true;
      } catch (RebalanceInProgressException e) {
        stayInGroupFor(POLL);
      } catch (CommitFailedException e) {
        log.warn("This writer was taken for dead: its partitions are somebody else's now");
        queues.clear();
        return false;
      } catch (TimeoutException e) {
        log.warn("Kafka doesn't answer: {}", e.getMessage());
        stayInGroupFor(POLL);
      }
    }
  }

  /** A partition may have gone and come back: what was taken from it before isn't its batch now. */
  private void keepOurs(Map<TopicPartition, Batch> batches) {
    batches.entrySet().removeIf(e -> !e.getValue().isOf(queues.get(e.getKey())));
  }

  /** Returns when every batch is stored, or its partition given away, or the writer stops. */
  private void store(Map<TopicPartition, Batch> batches) {
    while (true) {
      long beganNanos = System.nanoTime();
      List<Batch> open = batches.values().stream().filter(batch -> !batch.isStored()).toList();
      await(
          CompletableFuture.allOf(
              open.stream()
                  .map(
                      batch ->
                          CompletableFuture.runAsync(
                              () -> batch.store(clickHouse, this::columnsOf, metrics), inserts))
                  .toArray(CompletableFuture[]::new)));
      if (open.stream().allMatch(Batch::isStored)) {
        pace.stored(Duration.ofNanos(System.nanoTime() - beganNanos));
        return;
      }
      Duration pause = pace.failed();
      log.warn("ClickHouse is tried again in {} s", pause.toSeconds());
      measure();
      stayInGroupFor(pause);
      keepOurs(batches);
    }
  }

  private TableColumns columnsOf(Table table) {
    return Objects.requireNonNull(columns.get(table), "every table has columns");
  }

  /** Reads on while rows are stored, as far as there is room. */
  private void await(CompletableFuture<Void> stored) {
    while (true) {
      try {
        stored.get(POLL.toMillis(), TimeUnit.MILLISECONDS);
        return;
      } catch (java.util.concurrent.TimeoutException e) {
        readOn();
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException cause
            ? cause
            : new IllegalStateException("Storing failed", e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new WriterException("Interrupted while storing");
      }
    }
  }

  private void readOn() {
    boolean full =
        waitingRows() >= 2 * config.maxBlockRows() || waitingBytes() >= 2 * MAX_BLOCK_BYTES;
    if (full) {
      consumer.pause(consumer.assignment());
    }
    take(Duration.ZERO);
    if (full) {
      consumer.resume(consumer.assignment());
    }
  }

  /** Keeps the partitions while ClickHouse is away: a rebalance would help nobody. */
  private void stayInGroupFor(Duration pause) {
    long until = System.nanoTime() + pause.toNanos();
    do {
      if (stopping) {
        throw new WakeupException();
      }
      // Also those that a rebalance has just given us: what is read now would only pile up.
      consumer.pause(consumer.assignment());
      take(POLL);
    } while (System.nanoTime() < until);
    consumer.resume(consumer.assignment());
  }

  private void measure() {
    long behind = waitingRows();
    for (TopicPartition partition : queues.keySet()) {
      behind += consumer.currentLag(partition).orElse(0);
    }
    metrics.stand(behind, pace.blockAge());
  }

  /** Completes with what stopped the writer, if anything does. */
  public CompletableFuture<Throwable> failure() {
    return failure;
  }

  /**
   * Stores what waits and stops, within 10 s; what isn't stored by then is read again next time.
   */
  @Override
  public void close() {
    stopping = true;
    try {
      thread.join(CLOSE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      consumer.wakeup();
    }
  }

  private void begin(Collection<TopicPartition> partitions) {
    StartPoints.find(consumer, clickHouse, topicIds, partitions)
        .forEach(
            (partition, start) -> {
              metrics.lost(start.lost());
              queues.put(partition, new PartitionQueue(partition, start.promised()));
              consumer.seek(partition, start.offset());
            });
  }

  private final class Assignments implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      // Another writer goes on from what is committed, so what waits here isn't ours any more.
      partitions.forEach(queues::remove);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      begin(partitions);
      log.info("Writing from {} partitions", consumer.assignment().size());
    }
  }
}
