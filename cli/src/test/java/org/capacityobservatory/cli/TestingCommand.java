package org.capacityobservatory.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code capacity …} as a real process, from the class path that the launcher uses. */
final class TestingCommand implements AutoCloseable {
  static final Duration CEILING = Duration.ofMinutes(2);

  private final Process process;
  private final Path stdout;
  private final Path stderr;

  private TestingCommand(Process process, Path stdout, Path stderr) {
    this.process = process;
    this.stdout = stdout;
    this.stderr = stderr;
  }

  static TestingCommand start(String... arguments) {
    try {
      Path home = Path.of(System.getProperty("capacity.home", "..")).toRealPath();
      Path target = home.resolve("cli/target");
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
      command.add("-Dcapacity.home=" + home);
      command.addAll(
          List.of(
              "-cp",
              target.resolve("capacity.jar") + File.pathSeparator + target.resolve("lib/*"),
              "org.capacityobservatory.cli.Main"));
      command.addAll(List.of(arguments));
      Path stdout = Files.createTempFile("capacity-out", ".txt");
      Path stderr = Files.createTempFile("capacity-err", ".txt");
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(stdout.toFile())
              .redirectError(stderr.toFile())
              .start();
      return new TestingCommand(process, stdout, stderr);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs to the end and gives the exit code. */
  int exitCode() {
    try {
      if (!process.waitFor(CEILING.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("Still running after " + CEILING + ": " + stderr());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  String stdout() {
    return read(stdout);
  }

  String stderr() {
    return read(stderr);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What Ctrl-C sends to the process. Where this JVM was started with SIGINT ignored, as shells do
   * in the background, its children ignore it too: then SIGTERM, which ends in the same hook.
   */
  void interrupt() {
    try {
      String signal = ignoresInterrupt() ? "-TERM" : "-INT";
      int code = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
      if (code != 0) {
        throw new AssertionError("kill " + signal + " failed");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static boolean ignoresInterrupt() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .map(line -> Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16))
        .anyMatch(mask -> (mask & 0b10) != 0);
  }

  /** The processes below this one that still run. */
  List<ProcessHandle> descendants() {
    try (Stream<ProcessHandle> below = process.descendants()) {
      return below.toList();
    }
  }

  /**
   * Those below this process whose command line holds some words; asked of ps, since Java's own
   * answer ends after 4 KiB, within the class path.
   */
  List<ProcessHandle> descendantsWith(String words) {
    return descendants().stream().filter(p -> commandLine(p).contains(words)).toList();
  }

  private static String commandLine(ProcessHandle process) {
    try {
      Process ps =
          new ProcessBuilder("ps", "-ww", "-o", "command=", "-p", Long.toString(process.pid()))
              .start();
      return new String(ps.getInputStream().readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      Files.deleteIfExists(stdout);
      Files.deleteIfExists(stderr);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
