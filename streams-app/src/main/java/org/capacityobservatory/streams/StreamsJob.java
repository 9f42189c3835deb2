package org.capacityobservatory.streams;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running job; exactly-once, so that a kill never counts a line twice. */
public final class StreamsJob implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StreamsJob.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final KafkaStreams streams;
  private final CountDownLatch running = new CountDownLatch(1);
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

  private StreamsJob(KafkaStreams streams) {
    this.streams = streams;
  }

  /**
   * Starts the job where it stopped; returns once that is known.
   *
   * @throws StreamsStartException when it can't go on where it stopped, or Kafka doesn't answer
   */
  public static StreamsJob start(StreamsJobConfig config, MeterRegistry registry) {
    String topicId = LinesOffsets.prepare(config, new StreamsMeters(registry));
    Topology topology = new Topology();
    CapacityTopology.build(topology, config.metrics(), topicId, registry);
    StreamsJob job = new StreamsJob(new KafkaStreams(topology, properties(config)));
    job.streams.setStateListener(
        (now, before) -> {
          if (now == KafkaStreams.State.RUNNING) {
            job.running.countDown();
          }
        });
    job.streams.setUncaughtExceptionHandler(
        exception -> {
          log.error("The Streams job stops: its supervisor may start it again", exception);
          job.failure.complete(exception);
          job.running.countDown();
          return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    job.streams.start();
    return job;
  }

  private static Properties properties(StreamsJobConfig config) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, config.applicationId());
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    properties.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDirectory().toString());
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.threads());
    properties.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, config.standbyReplicas());
    properties.put(
        StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
        Math.toIntExact(config.commitInterval().toMillis()));
    properties.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
    // A dead instance's open transaction hides what follows it until it times out.
    properties.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 15_000);
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 10_000);
    config.kafka().forEach(properties::put);
    return properties;
  }

  /**
   * Waits until partitions are assigned and restored.
   *
   * @return false when it isn't so far yet
   */
  public boolean awaitRunning(Duration timeout) throws InterruptedException {
    return running.await(timeout.toMillis(), TimeUnit.MILLISECONDS) && !failure.isDone();
  }

  /** Completes with what stopped the job, if anything does. */
  public CompletableFuture<Throwable> failure() {
    return failure;
  }

  /**
   * Commits and stops, within 10 s, and leaves the group: others take over at once, and a restart
   * needn't wait until the group has missed this instance.
   */
  @Override
  public void close() {
    streams.close(
        CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP)
            .withTimeout(CLOSE_TIMEOUT));
  }
}
