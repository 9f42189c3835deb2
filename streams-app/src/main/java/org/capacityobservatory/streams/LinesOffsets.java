package org.capacityobservatory.streams;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.capacityobservatory.log.Topics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that the job goes on where it stopped, before it starts.
 *
 * <p>A consumer that finds no offset, or one out of range, would begin at the topic's start (and
 * count lines twice) or at its end (and skip lines), in silence. So the job's consumers never reset
 * (they stop); where they begin is decided here and said.
 */
final class LinesOffsets {
  private static final Logger log = LoggerFactory.getLogger(LinesOffsets.class);

  /** Longer than the group takes to miss an instance that was killed. */
  private static final int ATTEMPTS = 20;

  private static final long WAIT_MILLIS = 1000;

  private LinesOffsets() {}

  /**
   * One partition of the lines.
   *
   * @param committed where the group stopped; null when it has no offset there
   * @param earliest the first offset that is still there
   * @param end one past the last
   */
  record Range(@Nullable Long committed, long earliest, long end) {}

  /**
   * Where to begin.
   *
   * @param moved offsets that have to be committed for the group, by partition
   * @param lost offsets between where the group stopped and what is still there
   */
  record Plan(Map<Integer, Long> moved, long lost) {}

  /** What the job finds before it starts. */
  record Found(String topicId, Map<Integer, Range> partitions, boolean hasState) {}

  /**
   * Decides where each partition begins.
   *
   * @param hasState whether the application has changelogs, so has run before
   * @throws StreamsStartException when going on would count twice or skip in silence
   */
  static Plan plan(String applicationId, Map<Integer, Range> partitions, boolean hasState) {
    boolean hasOffsets = partitions.values().stream().anyMatch(r -> r.committed() != null);
    if (hasState && !hasOffsets) {
      throw new StreamsStartException(
          ("Group %s has run before, and its offsets on %s are gone: they expire when nothing has"
                  + " run for long. Set them to where it stopped (kafka-consumer-groups"
                  + " --reset-offsets; the greatest intDiv(revision, 2) + 1 per lines_partition in"
                  + " decisions_minute tells), or start with another --application-id and another"
                  + " database")
              .formatted(applicationId, Topics.LINES));
    }
    Map<Integer, Long> moved = new TreeMap<>();
    long lost = 0;
    for (Map.Entry<Integer, Range> entry : partitions.entrySet()) {
      Range range = entry.getValue();
      if (range.committed() == null) {
        moved.put(entry.getKey(), range.earliest());
      } else if (range.committed() > range.end()) {
        throw new StreamsStartException(
            ("Group %s stopped at offset %d of %s-%d, which now ends at %d: the topic was made anew"
                    + " or has lost lines. Start with another --application-id and another database")
                .formatted(
                    applicationId, range.committed(), Topics.LINES, entry.getKey(), range.end()));
      } else if (range.committed() < range.earliest()) {
        moved.put(entry.getKey(), range.earliest());
        lost += range.earliest() - range.committed();
      }
    }
    return new Plan(moved, lost);
  }

  /**
   * Finds out where the group stands and moves it where it must be.
   *
   * @return Kafka's own id of the topic of lines
   * @throws StreamsStartException when the job can't go on, or the topic is missing
   */
  static String prepare(StreamsJobConfig config, StreamsMeters meters) {
    Map<String, Object> properties = new HashMap<>(config.kafka());
    properties.put("bootstrap.servers", config.bootstrapServers());
    try (Admin admin = Admin.create(properties)) {
      for (int attempt = 1; ; attempt++) {
        Found found = find(admin, config.applicationId());
        Plan plan = plan(config.applicationId(), found.partitions(), found.hasState());
        if (plan.moved().isEmpty() || move(admin, config.applicationId(), plan)) {
          if (plan.lost() > 0) {
            meters.countLostLines(plan.lost());
            log.error(
                "{} lines of {} were removed by retention before group {} had read them: they are"
                    + " lost",
                plan.lost(),
                Topics.LINES,
                config.applicationId());
          }
          return found.topicId();
        }
        if (attempt == ATTEMPTS) {
          throw new StreamsStartException(
              "Group %s lacks offsets on %s and another instance is running: stop it first"
                  .formatted(config.applicationId(), Topics.LINES));
        }
        Thread.sleep(WAIT_MILLIS);
      }
    } catch (ExecutionException e) {
      throw failed(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(e);
    }
  }

  private static StreamsStartException failed(Throwable cause) {
    if (cause instanceof UnknownTopicOrPartitionException) {
      return new StreamsStartException(
          "Topic " + Topics.LINES + " is missing: create it with capacity topics", cause);
    }
    return new StreamsStartException(
        "Kafka doesn't say where the job stopped: " + cause.getMessage(), cause);
  }

  private static Found find(Admin admin, String applicationId)
      throws ExecutionException, InterruptedException {
    TopicDescription topic =
        admin.describeTopics(List.of(Topics.LINES)).allTopicNames().get().get(Topics.LINES);
    if (topic == null) {
      throw new StreamsStartException("Kafka doesn't describe topic " + Topics.LINES);
    }
    List<TopicPartition> partitions =
        topic.partitions().stream()
            .map(p -> new TopicPartition(Topics.LINES, p.partition()))
            .toList();
    Map<TopicPartition, OffsetAndMetadata> committed =
        admin.listConsumerGroupOffsets(applicationId).partitionsToOffsetAndMetadata().get();
    Map<TopicPartition, ListOffsetsResultInfo> earliest =
        admin.listOffsets(all(partitions, OffsetSpec.earliest())).all().get();
    Map<TopicPartition, ListOffsetsResultInfo> end =
        admin.listOffsets(all(partitions, OffsetSpec.latest())).all().get();
    Map<Integer, Range> ranges = new TreeMap<>();
    for (TopicPartition partition : partitions) {
      OffsetAndMetadata offset = committed.get(partition);
      ranges.put(
          partition.partition(),
          new Range(
              offset == null ? null : offset.offset(),
              offsetOf(earliest, partition),
              offsetOf(end, partition)));
    }
    boolean hasState =
        admin.listTopics().names().get().stream()
            .anyMatch(t -> t.startsWith(applicationId + "-") && t.endsWith("-changelog"));
    return new Found(topic.topicId().toString(), ranges, hasState);
  }

  private static Map<TopicPartition, OffsetSpec> all(
      List<TopicPartition> partitions, OffsetSpec spec) {
    return partitions.stream().collect(Collectors.toMap(p -> p, p -> spec));
  }

  private static long offsetOf(
      Map<TopicPartition, ListOffsetsResultInfo> offsets, TopicPartition partition) {
    ListOffsetsResultInfo info = offsets.get(partition);
    if (info == null) {
      throw new StreamsStartException("Kafka doesn't say where " + partition + " begins and ends");
    }
    return info.offset();
  }

  /** Commits offsets for the group; false while another instance is at work. */
  private static boolean move(Admin admin, String applicationId, Plan plan)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    plan.moved()
        .forEach(
            (partition, offset) ->
                offsets.put(
                    new TopicPartition(Topics.LINES, partition), new OffsetAndMetadata(offset)));
    try {
      admin.alterConsumerGroupOffsets(applicationId, offsets).all().get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownMemberIdException) {
        return false;
      }
      throw e;
    }
  }
}
