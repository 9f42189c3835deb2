package org.capacityobservatory.streams;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.capacityobservatory.localstack.LocalKafka;
import org.capacityobservatory.localstack.LocalKafkaConfig;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures how many lines one Streams thread turns into rows and cells, exactly once, beside a
 * consumer that only reads them, one that only parses them, and the topology that one writes first;
 * each in a JVM of its own, warmed up, from the same real broker in another.
 *
 * <p>Each figure is given by the clock and by CPU time, which a busy machine hardly changes.
 */
@Command(
    name = "streams-benchmark",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures the Streams job beside its peers.")
public final class StreamsBenchmark implements Callable<Integer> {
  private static final int GOAL = 130_000;
  private static final double POISON_GOAL = 0.95;

  @Option(names = "--lines", defaultValue = "1000000", description = "Default: 1,000,000.")
  private int lines;

  @Option(
      names = "--poison",
      defaultValue = "0.01",
      description = "Share of poison in the last run; 0 leaves it out. Default: 0.01.")
  private double poison;

  @Option(
      names = "--only",
      split = ",",
      defaultValue = "reads,parses,naive,job",
      description = "Which contenders; default: ${DEFAULT-VALUE}.")
  private List<String> only = List.of();

  @Option(
      names = "--jvm",
      split = " ",
      description = "More options for the job's JVM, for example a flight recorder's.")
  private List<String> jvm = List.of();

  private final Map<String, Figures> all = new LinkedHashMap<>();

  /** Runs it; exit code 0, 1 when it failed, 2 for wrong usage. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new StreamsBenchmark()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    Path directory = Files.createTempDirectory("streams-benchmark");
    try (LocalKafka kafka = LocalKafka.start(LocalKafkaConfig.in(directory.resolve("kafka")))) {
      LinesTopic topic = new LinesTopic(kafka.bootstrap());
      say("%,d lines of %d bytes", lines, topic.fill(lines, 0));
      say(
          "%-18s %12s %14s %34s",
          "", "lines/s", "lines/thread-s", "µs CPU/line: thread all broker");
      for (String role : only) {
        turn(role, role, kafka, directory);
      }
      if (poison > 0) {
        topic.fill(lines, poison);
        turn("job, %.0f %% poison".formatted(poison * 100), "job", kafka, directory);
      }
    }
    compare();
    return 0;
  }

  private void turn(String name, String role, LocalKafka kafka, Path directory)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    if (role.equals("job")) {
      command.addAll(jvm);
    }
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            Contender.class.getName(),
            role,
            kafka.bootstrap(),
            Long.toString(kafka.pid()),
            directory.toString(),
            Integer.toString(lines)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader said = process.inputReader()) {
      String result =
          said.lines().filter(l -> l.startsWith(Contender.RESULT)).findFirst().orElse("");
      if (process.waitFor() != 0 || result.isEmpty()) {
        throw new IOException("contender " + name + " failed: its word is above");
      }
      Figures figures = Figures.of(result.substring(Contender.RESULT.length()));
      all.put(name, figures);
      say(
          "%-18s %,12.0f %,14.0f %20.2f %6.2f %6.2f",
          name,
          figures.linesPerSecond(),
          figures.linesForSecondOfThread(),
          figures.threadMicros(),
          figures.processMicros(),
          figures.brokerMicros());
    } finally {
      process.destroyForcibly();
    }
  }

  private void compare() {
    Figures job = all.get("job");
    Figures naive = all.get("naive");
    if (job == null) {
      return;
    }
    say("job, lines/s of a thread: %,.0f by the clock, goal >= %,d", job.linesPerSecond(), GOAL);
    if (naive != null) {
      say(
          "job : naive             %.1f by the clock, %.1f by the thread's CPU time, goal >= 2",
          job.linesPerSecond() / naive.linesPerSecond(), naive.threadMicros() / job.threadMicros());
    }
    all.forEach(
        (name, figures) -> {
          if (name.endsWith("poison")) {
            say(
                "%s : job   %.2f by the clock, %.2f by the thread's CPU time, goal >= %.2f",
                name,
                figures.linesPerSecond() / job.linesPerSecond(),
                job.threadMicros() / figures.threadMicros(),
                POISON_GOAL);
          }
        });
  }

  private static void say(String form, Object... values) {
    System.out.println(String.format(Locale.ROOT, form, values));
  }
}
