package org.capacityobservatory.cli;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.capacityobservatory.shipper.FeedConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where lines come from beside files. */
final class FeedOptions {
  @Option(
      names = "--stdin",
      description =
          "Ship standard input to its end, and end. It can't be read again: what isn't acknowledged"
              + " at the end is counted, and the exit code is 1.")
  private boolean stdin;

  @Option(
      names = "--journald",
      paramLabel = "UNIT",
      arity = "0..1",
      fallbackValue = "",
      description =
          "Follow this host's journal by journalctl, of one unit or the whole (write --journald="
              + " before a FILE).")
  private @Nullable String journald;

  @Option(
      names = "--cloudwatch-export",
      paramLabel = "DIR",
      description = "Ship the gzip files of a CloudWatch Logs export below this folder.")
  private List<String> cloudWatchExports = List.of();

  @Option(
      names = "--cloudwatch-log-group",
      paramLabel = "GROUP",
      description =
          "Follow a log group of CloudWatch Logs; credentials come from the AWS SDK's default"
              + " chain.")
  private @Nullable String group;

  @Option(
      names = "--cloudwatch-region",
      paramLabel = "REGION",
      defaultValue = "${env:AWS_REGION}",
      description = "The log group's region (env AWS_REGION).")
  private @Nullable String region;

  @Option(
      names = "--cloudwatch-endpoint",
      paramLabel = "URL",
      description = "Another endpoint than the region's.")
  private @Nullable String endpoint;

  @Option(
      names = "--cloudwatch-since",
      paramLabel = "TIME",
      description =
          "Where the first run begins, such as 2026-11-30T00:00:00Z; later runs go on where the last"
              + " stopped (default: all there is).")
  private @Nullable String since;

  @Option(
      names = "--cloudwatch-overlap",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description =
          "How long after its own time an event may become visible and is still shipped; 1 to 3600"
              + " (default: ${DEFAULT-VALUE}).")
  private long overlapSeconds;

  @Option(
      names = "--cloudwatch-interval",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "How often the log group is asked (default: ${DEFAULT-VALUE}).")
  private long intervalSeconds;

  boolean isStdinAlone(List<String> files) {
    return stdin && files.isEmpty() && journald == null && group == null;
  }

  /** The files given, and those of the exports. */
  List<String> withExports(List<String> files) {
    List<String> all = new ArrayList<>(files);
    for (String folder : cloudWatchExports) {
      if (!Files.isDirectory(Path.of(folder))) {
        throw new UsageException("--cloudwatch-export is no folder: " + folder);
      }
      all.add(folder + "/**/*.gz");
    }
    return all;
  }

  List<FeedConfig> feeds() {
    List<FeedConfig> feeds = new ArrayList<>();
    if (stdin) {
      feeds.add(new FeedConfig.Stdin());
    }
    if (journald != null) {
      feeds.add(FeedConfig.Journald.of(journald));
    }
    if (group != null) {
      if (region == null || region.isBlank()) {
        throw new UsageException(
            "The log group's region isn't known: give --cloudwatch-region or set AWS_REGION");
      }
      feeds.add(
          new FeedConfig.CloudWatch(
              group,
              region,
              endpoint == null ? null : url(endpoint),
              since == null ? Instant.EPOCH : Times.read("--cloudwatch-since", since),
              Duration.ofSeconds(overlapSeconds),
              Duration.ofSeconds(intervalSeconds)));
    }
    return feeds;
  }

  private static URI url(String text) {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--cloudwatch-endpoint is no URL: " + text);
    }
  }
}
