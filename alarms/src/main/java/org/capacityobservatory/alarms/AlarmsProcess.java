package org.capacityobservatory.alarms;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.capacityobservatory.log.Topics;
import org.capacityobservatory.sql.ClickHouse;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that evaluates: one thread that owns the state, and one for each receiver.
 *
 * <p>Any number may run: the one to which Kafka gives the state topic's partition is active, the
 * others stand by and take over when it is gone.
 */
public final class AlarmsProcess implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AlarmsProcess.class);

  private static final String GROUP = "capacity-alarms";
  private static final int SESSION_MILLIS = 10_000;
  private static final int LONGEST_ROUND_MILLIS = 600_000;
  private static final Duration WHILE_TELLING = Duration.ofMillis(20);
  private static final Duration PAUSE_AFTER_TROUBLE = Duration.ofSeconds(2);
  private static final Duration CLICKHOUSE_TIMEOUT = Duration.ofSeconds(60);

  private final AlarmsConfig config;
  private final List<Receiver> receivers;
  private final InstantSource clock;
  private final AlarmMeters meters;
  private final Jdbi queries;
  private final ClickHouseHttp writes;
  private final List<ExecutorService> executors = new ArrayList<>();
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private final Thread thread;
  private volatile boolean stopping;
  private boolean owner;
  private boolean telling;
  private long nextRoundNanos = System.nanoTime();
  private @Nullable KafkaAlarmStore store;
  private @Nullable Evaluator evaluator;

  private AlarmsProcess(
      AlarmsConfig config, List<Receiver> receivers, MeterRegistry registry, InstantSource clock) {
    this.config = config;
    this.receivers = List.copyOf(receivers);
    this.clock = clock;
    this.meters = new AlarmMeters(registry);
    Properties settings = new Properties();
    settings.setProperty("max_execution_time", "30");
    this.queries = ClickHouse.queries(config.clickHouse(), settings, CLICKHOUSE_TIMEOUT);
    this.writes = new ClickHouseHttp(config.clickHouse(), CLICKHOUSE_TIMEOUT);
    this.thread = new Thread(this::run, "alarms");
  }

  /**
   * Starts to stand by, and to evaluate as soon as nobody else does.
   *
   * @param receivers who is told; closed with the process
   */
  public static AlarmsProcess start(
      AlarmsConfig config, List<Receiver> receivers, MeterRegistry registry, InstantSource clock) {
    AlarmsProcess process = new AlarmsProcess(config, receivers, registry, clock);
    process.thread.start();
    return process;
  }

  /** Completes with what made it fail, if anything does. */
  public CompletableFuture<Throwable> failure() {
    return failure;
  }

  private void run() {
    try (KafkaConsumer<String, String> membership = membership()) {
      membership.subscribe(List.of(Topics.ALARM_STATE), new Turn());
      while (!stopping) {
        membership.poll(telling ? WHILE_TELLING : config.evaluator().pace());
        membership.pause(membership.assignment());
        if (owner) {
          round();
        }
      }
    } catch (Throwable e) {
      log.error("The alarms' process failed", e);
      failure.complete(e);
    } finally {
      standBy();
    }
  }

  private void round() {
    try {
      if (evaluator == null) {
        evaluator = takeOver();
      }
      if (!telling || System.nanoTime() - nextRoundNanos >= 0) {
        nextRoundNanos = System.nanoTime() + config.evaluator().pace().toNanos();
        evaluator.tick();
      } else {
        evaluator.tellOn();
      }
      telling = evaluator.isTelling();
    } catch (AlarmStoreException | KafkaException e) {
      log.warn("{}; begins again from what was committed", e.getMessage());
      meters.trouble("kafka");
      standBy();
      pause();
    }
  }

  private void pause() {
    try {
      Thread.sleep(PAUSE_AFTER_TROUBLE.toMillis());
    } catch (InterruptedException e) {
      stopping = true;
    }
  }

  private Evaluator takeOver() {
    KafkaAlarmStore opened = new KafkaAlarmStore(config.kafka());
    store = opened;
    List<Courier> couriers = new ArrayList<>();
    for (Receiver receiver : receivers) {
      ExecutorService executor =
          Executors.newSingleThreadExecutor(
              task -> {
                Thread named = new Thread(task, "alarms-to-" + receiver.name());
                named.setDaemon(true);
                return named;
              });
      executors.add(executor);
      couriers.add(
          new Courier(receiver, config.evaluator(), new Backoff(new Random()), executor, meters));
    }
    Evaluator taken =
        new Evaluator(
            config.rules(),
            config.evaluator(),
            opened,
            new ClickHouseFacts(queries),
            new ClickHouseProgress(queries),
            new ClickHouseHistory(writes),
            now -> new Silences(queries).since(now),
            couriers,
            clock,
            meters);
    meters.active(true);
    log.info("Evaluating {} rules", config.rules().size());
    return taken;
  }

  private void standBy() {
    meters.active(false);
    telling = false;
    evaluator = null;
    executors.forEach(ExecutorService::shutdownNow);
    executors.clear();
    if (store != null) {
      store.close();
      store = null;
    }
  }

  private KafkaConsumer<String, String> membership() {
    Map<String, Object> settings = new TreeMap<>(config.kafka());
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, GROUP);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
    settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MILLIS);
    settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, SESSION_MILLIS / 4);
    settings.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, LONGEST_ROUND_MILLIS);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
  }

  /** Whose turn it is: the partition's owner's. */
  private final class Turn implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      if (partitions.contains(KafkaAlarmStore.PARTITION)) {
        owner = true;
      }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      if (partitions.contains(KafkaAlarmStore.PARTITION)) {
        owner = false;
        standBy();
        log.info("Another evaluator takes over; standing by");
      }
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      onPartitionsRevoked(partitions);
    }
  }

  /** Stops evaluating, so that another may begin at once. */
  @Override
  public void close() {
    stopping = true;
    try {
      thread.join(Duration.ofSeconds(15).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    receivers.forEach(Receiver::close);
  }
}
