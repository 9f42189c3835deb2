package org.capacityobservatory.streams.writer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.sql.ClickHouseException;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.capacityobservatory.sql.Migrations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves rows from the topics into ClickHouse; an offset is committed only when its rows are stored.
 *
 * <p>Rows may be sent again after a kill. Every table collapses such doubles by its key, and its
 * queries read it so.
 */
public final class Writer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Writer.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration INSERT_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private static final List<String> TOPICS =
      List.of(
          Topics.CALLS, Topics.CONFIG_CHANGES, Topics.DEAD_LETTERS, Topics.METRICS, Topics.BOOKS);

  private final WriterConfig config;
  private final ClickHouseHttp clickHouse;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> waiting = new HashMap<>();
  private final MeterRegistry registry;
  private final Counter failures;
  private final Thread thread;
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private volatile boolean stopping;
  private long oldestWaitingNanos;

  private Writer(WriterConfig config, ClickHouseHttp clickHouse, MeterRegistry registry) {
    this.config = config;
    this.clickHouse = clickHouse;
    this.registry = registry;
    this.failures =
        Counter.builder("capacity.write.failures")
            .description("Inserts that ClickHouse didn't prove stored, and that are tried again")
            .register(registry);
    this.consumer = new KafkaConsumer<>(properties(config));
    this.thread = new Thread(this::run, "writer");
  }

  /**
   * Brings the tables up to date and starts the writer's thread.
   *
   * @throws ClickHouseException when ClickHouse isn't reached or its schema isn't ours
   */
  public static Writer start(WriterConfig config, MeterRegistry registry) {
    ClickHouseHttp clickHouse = new ClickHouseHttp(config.clickHouse(), INSERT_TIMEOUT);
    Migrations.apply(clickHouse, config.clickHouse());
    Writer writer = new Writer(config, clickHouse, registry);
    writer.thread.start();
    return writer;
  }

  private static Properties properties(WriterConfig config) {
    Properties properties = new Properties();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, config.groupId());
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, config.maxBlockRows());
    properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000);
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    config.kafka().forEach(properties::put);
    return properties;
  }

  private void run() {
    try {
      consumer.subscribe(TOPICS, new ForgetRevoked());
      while (!stopping) {
        take(POLL);
        if (blockIsDue()) {
          storeWaiting();
        }
      }
      storeWaiting();
    } catch (WakeupException e) {
      log.debug("Woken to stop", e);
    } catch (RuntimeException e) {
      log.error("The writer stops: its supervisor may start it again", e);
      failure.complete(e);
    } finally {
      consumer.close();
    }
  }

  private void take(Duration patience) {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(patience)) {
      if (waiting.isEmpty()) {
        oldestWaitingNanos = System.nanoTime();
      }
      waiting
          .computeIfAbsent(
              new TopicPartition(record.topic(), record.partition()), tp -> new ArrayList<>())
          .add(record);
    }
  }

  private boolean blockIsDue() {
    if (waiting.isEmpty()) {
      return false;
    }
    int rows = waiting.values().stream().mapToInt(List::size).sum();
    return rows >= config.maxBlockRows()
        || System.nanoTime() - oldestWaitingNanos >= config.maxBlockAge().toNanos();
  }

  private void storeWaiting() {
    for (TopicPartition partition : List.copyOf(waiting.keySet())) {
      List<ConsumerRecord<byte[], byte[]>> range = waiting.get(partition);
      if (range == null) {
        continue; // revoked while an earlier one was being stored
      }
      for (Block block : Block.of(range)) {
        store(block);
      }
      if (waiting.remove(partition) != null) {
        long next = range.get(range.size() - 1).offset() + 1;
        consumer.commitSync(Map.of(partition, new OffsetAndMetadata(next)));
      }
    }
  }

  private void store(Block block) {
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        clickHouse.insertBlock(
            block.table().tableName(), block.jsonEachRow(), block.rows(), block.token());
        registry
            .counter("capacity.write.rows", "table", block.table().tableName())
            .increment(block.rows());
        return;
      } catch (ClickHouseException e) {
        failures.increment();
        log.warn("Will try again in {} s: {}", pause.toSeconds(), e.getMessage());
        stayInGroupFor(pause);
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
                ? pause.multipliedBy(2)
                : LONGEST_PAUSE;
      }
    }
  }

  /** Keeps the partitions while ClickHouse is away: a rebalance would help nobody. */
  private void stayInGroupFor(Duration pause) {
    consumer.pause(consumer.assignment());
    long until = System.nanoTime() + pause.toNanos();
    while (System.nanoTime() < until) {
      if (stopping) {
        throw new WakeupException();
      }
      take(POLL);
    }
    consumer.resume(consumer.assignment());
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

  /**
   * Another writer takes over from the committed offsets, so what waits here isn't ours any more.
   */
  private final class ForgetRevoked implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      partitions.forEach(waiting::remove);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      log.info("Writing from {} partitions", partitions.size());
    }
  }
}
