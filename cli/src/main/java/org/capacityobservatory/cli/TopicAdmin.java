package org.capacityobservatory.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;

/** Creates the topics that are missing, and names those that aren't as they should be. */
final class TopicAdmin {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final String bootstrapServers;

  TopicAdmin(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
  }

  /** What was done and what was found. */
  record Outcome(List<String> created, List<String> kept, List<String> wrong) {}

  /**
   * Brings the broker's topics to a plan; an existing topic is never changed.
   *
   * @param replication replicas of a new topic, or -1 for the broker's default
   * @throws CommandException when Kafka isn't reached or refuses
   */
  Outcome apply(List<TopicPlan> plans, short replication) {
    Properties properties = new Properties();
    properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
    properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis() / 2);
    try (Admin admin = Admin.create(properties)) {
      Set<String> existing = get(admin.listTopics().names());
      List<String> created = new ArrayList<>();
      List<NewTopic> missing = new ArrayList<>();
      Map<String, TopicPlan> present = new TreeMap<>();
      for (TopicPlan plan : plans) {
        if (existing.contains(plan.name())) {
          present.put(plan.name(), plan);
        } else {
          missing.add(
              new NewTopic(plan.name(), plan.partitions(), replication).configs(plan.config()));
          created.add(plan.name());
        }
      }
      get(admin.createTopics(missing).all());
      List<String> wrong = differences(admin, present);
      return new Outcome(created, List.copyOf(present.keySet()), wrong);
    } catch (org.apache.kafka.common.KafkaException e) {
      throw new CommandException("Kafka at " + bootstrapServers + ": " + e.getMessage(), e);
    }
  }

  private List<String> differences(Admin admin, Map<String, TopicPlan> present) {
    List<String> wrong = new ArrayList<>();
    Map<String, TopicDescription> descriptions =
        get(admin.describeTopics(present.keySet()).allTopicNames());
    List<ConfigResource> resources =
        present.keySet().stream()
            .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
            .toList();
    Map<ConfigResource, Config> configs = get(admin.describeConfigs(resources).all());
    present.forEach(
        (name, plan) -> {
          TopicDescription description = descriptions.get(name);
          int partitions = description == null ? 0 : description.partitions().size();
          if (partitions != plan.partitions()) {
            wrong.add(
                "%s has %d partitions, not %d".formatted(name, partitions, plan.partitions()));
          }
          Config config = configs.get(new ConfigResource(ConfigResource.Type.TOPIC, name));
          new TreeMap<>(plan.config())
              .forEach(
                  (key, wanted) -> {
                    String found = config == null ? "?" : String.valueOf(config.get(key).value());
                    if (!found.equals(wanted)) {
                      wrong.add("%s has %s=%s, not %s".formatted(name, key, found, wanted));
                    }
                  });
        });
    return wrong;
  }

  private <T> T get(KafkaFuture<T> future) {
    try {
      return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new CommandException(
          "Kafka at " + bootstrapServers + " can't be used: is it running? (" + cause + ")", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("Interrupted while waiting for Kafka", e);
    }
  }
}
