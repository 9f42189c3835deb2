package org.capacityobservatory.benchmarks.path;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** Looks, from a thread of its own, how far the committed records of topics reach. */
final class TopicEnds implements AutoCloseable {
  private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Admin admin;
  private final Thread thread;
  private final Map<String, Curve> curves = new HashMap<>();
  private volatile boolean closed;

  /** Begins to look. */
  TopicEnds(String bootstrap, Set<String> topics) {
    topics.forEach(topic -> curves.put(topic, new Curve()));
    admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
    thread = new Thread(this::look, "topic-ends");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * How far a topic's committed records have come, with Kafka's marks of transactions among them.
   */
  Curve curve(String topic) {
    return Objects.requireNonNull(curves.get(topic), "a topic that is looked at");
  }

  private void look() {
    try {
      Map<String, List<TopicPartition>> partitions = partitions();
      while (!closed) {
        for (Map.Entry<String, Curve> curve : curves.entrySet()) {
          long nanos = System.nanoTime();
          curve.getValue().add(nanos, end(partitions.getOrDefault(curve.getKey(), List.of())));
        }
        LockSupport.parkNanos(EVERY_NANOS);
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("Kafka doesn't say how far its topics reach", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, List<TopicPartition>> partitions()
      throws ExecutionException, InterruptedException {
    Map<String, List<TopicPartition>> partitions = new HashMap<>();
    admin
        .describeTopics(curves.keySet())
        .allTopicNames()
        .get()
        .forEach(
            (name, topic) ->
                partitions.put(
                    name,
                    topic.partitions().stream()
                        .map(partition -> new TopicPartition(name, partition.partition()))
                        .toList()));
    return partitions;
  }

  private long end(List<TopicPartition> partitions)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> newest = new HashMap<>();
    partitions.forEach(partition -> newest.put(partition, OffsetSpec.latest()));
    return admin
        .listOffsets(newest, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
        .all()
        .get()
        .values()
        .stream()
        .mapToLong(end -> end.offset())
        .sum();
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    admin.close();
  }
}
