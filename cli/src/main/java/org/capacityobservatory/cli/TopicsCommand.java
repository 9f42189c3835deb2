package org.capacityobservatory.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "topics",
    description =
        "Creates the topics that are missing, and names those that are not as they should be.",
    mixinStandardHelpOptions = true)
final class TopicsCommand implements Callable<Integer> {
  @Mixin private KafkaOptions kafka;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "" + TopicPlan.DEFAULT_PARTITIONS,
      description =
          "Partitions of the topics of lines, calls and metrics (default: ${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--replication",
      paramLabel = "N",
      defaultValue = "-1",
      description = "Replicas of a new topic (default: as the broker is set).")
  private short replication;

  @Override
  public Integer call() {
    if (partitions < 1) {
      throw new UsageException("--partitions is " + partitions + ": at least 1");
    }
    TopicAdmin.Outcome outcome =
        new TopicAdmin(kafka.bootstrapServers()).apply(TopicPlan.all(partitions), replication);
    outcome.created().forEach(name -> System.out.println("created  " + name));
    outcome.kept().forEach(name -> System.out.println("exists   " + name));
    outcome.wrong().forEach(problem -> System.out.println("WRONG    " + problem));
    return outcome.wrong().isEmpty() ? 0 : 1;
  }
}
