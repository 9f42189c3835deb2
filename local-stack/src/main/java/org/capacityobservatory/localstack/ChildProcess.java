package org.capacityobservatory.localstack;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A JVM main class that runs as a child of this process.
 *
 * <p>The child's main begins with {@link ChildMain#arm}; what the two agree on:
 *
 * <ul>
 *   <li>the child prints one line {@code READY key=value …} on stdout when it can be used, or
 *       {@code REFUSED sentence} when it can't start; {@link Builder#start} returns or throws with
 *       it;
 *   <li>everything else on stdout, and all of stderr, goes to the log file;
 *   <li>the child holds this process's end of its stdin: when this process dies, even by kill -9,
 *       the child sees the end of it and closes down, so there are no orphans;
 *   <li>Ctrl-C reaches a terminal's whole process group; the child ignores it and waits for SIGTERM
 *       from {@link #close}, so that the parent decides the order;
 *   <li>SIGTERM closes the child cleanly.
 * </ul>
 */
public final class ChildProcess implements AutoCloseable {
  /** Environment variable by which a child knows that a parent watches its stdin. */
  static final String WATCHED = "CAPACITY_CHILD";

  static final String READY = "READY";
  static final String REFUSED = "REFUSED";

  private static final Logger LOG = LoggerFactory.getLogger(ChildProcess.class);
  private static final long LOG_FILE_LIMIT_BYTES = 16L << 20;

  private final String name;
  private final Process process;
  private final Duration closeTimeout;
  private final CompletableFuture<Map<String, String>> ready;

  private ChildProcess(
      String name,
      Process process,
      Duration closeTimeout,
      CompletableFuture<Map<String, String>> ready) {
    this.name = name;
    this.process = process;
    this.closeTimeout = closeTimeout;
    this.ready = ready;
  }

  /** Describes a child: {@code name} for messages and threads, and the class whose main runs. */
  public static Builder builder(String name, Class<?> mainClass) {
    return new Builder(name, mainClass.getName());
  }

  /** The name given to {@link #builder}. */
  public String name() {
    return name;
  }

  /** The values that stood on the child's READY line, in its order. */
  public Map<String, String> ready() {
    return ready.join();
  }

  /** The operating system's process id. */
  public long pid() {
    return process.pid();
  }

  /** Whether the process still runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** The exit code, once the process has ended; 128 + n where signal n ended it. */
  public OptionalInt exitCode() {
    return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
  }

  /** Completes with the exit code when the process ends, for whatever reason. */
  public CompletableFuture<Integer> onExit() {
    return process.onExit().thenApply(Process::exitValue);
  }

  /** Ends the process as kill -9 does, and waits for its end. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd(closeTimeout);
  }

  /** Asks the process to close (SIGTERM), waits, and ends it by force when it doesn't. */
  @Override
  public void close() {
    process.destroy();
    if (!awaitEnd(closeTimeout)) {
      LOG.warn("{} (pid {}) did not close in {}: ending it by force", name, pid(), closeTimeout);
      kill();
    }
  }

  private boolean awaitEnd(Duration atMost) {
    boolean interrupted = false;
    long endNanos = System.nanoTime() + atMost.toNanos();
    try {
      while (true) {
        try {
          return process.waitFor(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          // A caller in a hurry must still not leave a process behind.
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** What a child is to be started with. Not for use by several threads. */
  public static final class Builder {
    private final String name;
    private final String mainClass;
    private final List<String> jvmOptions = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private String classPath = System.getProperty("java.class.path");
    private @Nullable Path logFile;
    private @Nullable Path workingDirectory;
    private Duration readyTimeout = Duration.ofMinutes(2);
    private Duration closeTimeout = Duration.ofSeconds(30);

    private Builder(String name, String mainClass) {
      this.name = name;
      this.mainClass = mainClass;
    }

    /** Adds JVM options, such as {@code -Xmx256m} or {@code -Dname=value}. */
    public Builder jvmOptions(String... options) {
      jvmOptions.addAll(List.of(options));
      return this;
    }

    /** Adds arguments of the main method. Any process of this machine can read them: no secrets. */
    public Builder arguments(String... values) {
      arguments.addAll(List.of(values));
      return this;
    }

    /** Adds or replaces a variable of the environment, which is otherwise this process's. */
    public Builder environment(String variable, String value) {
      environment.put(variable, value);
      return this;
    }

    /** The class path; this process's own unless set. */
    public Builder classPath(String value) {
      classPath = value;
      return this;
    }

    /**
     * The file that gets the child's stderr and stdout, appended; without one they are inherited.
     */
    public Builder logFile(Path file) {
      logFile = file;
      return this;
    }

    /** The child's working directory; this process's own unless set. */
    public Builder workingDirectory(Path directory) {
      workingDirectory = directory;
      return this;
    }

    /** How long {@link #start} waits for READY; 120 s unless set. */
    public Builder readyTimeout(Duration timeout) {
      readyTimeout = timeout;
      return this;
    }

    /** How long {@link ChildProcess#close} waits before it uses force; 30 s unless set. */
    public Builder closeTimeout(Duration timeout) {
      closeTimeout = timeout;
      return this;
    }

    /**
     * Starts the child and waits until it is ready.
     *
     * @throws LocalStackException when it refuses, ends before it is ready, or isn't ready in time;
     *     no process is left behind then
     */
    public ChildProcess start() {
      ChildProcess child = launch();
      String problem;
      try {
        child.ready.get(readyTimeout.toMillis(), TimeUnit.MILLISECONDS);
        return child;
      } catch (ExecutionException e) {
        child.kill();
        throw e.getCause() instanceof LocalStackException known
            ? known
            : new LocalStackException(name + " could not be started", e);
      } catch (TimeoutException e) {
        problem = name + " was not ready after " + readyTimeout.toSeconds() + " s" + seeLog();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        problem = "the start of " + name + " was interrupted";
      }
      child.kill();
      throw new LocalStackException(problem);
    }

    private ChildProcess launch() {
      ProcessBuilder builder = new ProcessBuilder(command());
      builder.environment().putAll(environment);
      builder.environment().put(WATCHED, "1");
      Path log = logFile;
      if (workingDirectory != null) {
        builder.directory(workingDirectory.toFile());
      }
      try {
        if (log == null) {
          builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        } else {
          prepareLogFile(log);
          builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        }
        Process process = builder.start();
        CompletableFuture<Map<String, String>> ready = new CompletableFuture<>();
        Thread reader = new Thread(() -> readOutput(process, ready), name + "-output");
        reader.setDaemon(true);
        reader.start();
        return new ChildProcess(name, process, closeTimeout, ready);
      } catch (IOException e) {
        throw new LocalStackException(name + " could not be started: " + e.getMessage(), e);
      }
    }

    private List<String> command() {
      List<String> command = new ArrayList<>();
      if (!System.getProperty("os.name", "").startsWith("Windows")) {
        // HotSpot leaves a signal alone that was already ignored when it started.
        command.addAll(List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh"));
      }
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(jvmOptions);
      command.addAll(List.of("-cp", classPath, mainClass));
      command.addAll(arguments);
      return command;
    }

    private void readOutput(Process process, CompletableFuture<Map<String, String>> ready) {
      try (BufferedReader lines =
              new BufferedReader(
                  new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
          OutputStream log = openLog()) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.equals(READY) || line.startsWith(READY + " ")) {
            ready.complete(parseReady(line));
          } else if (line.startsWith(REFUSED + " ")) {
            ready.completeExceptionally(
                new LocalStackException(line.substring(REFUSED.length() + 1)));
          } else {
            log.write((line + System.lineSeparator()).getBytes(StandardCharsets.UTF_8));
            log.flush();
          }
        }
      } catch (IOException e) {
        LOG.debug("the output of {} ended: {}", name, e.toString());
      }
      ready.completeExceptionally(
          new LocalStackException(
              name
                  + " ended with exit code "
                  + process.onExit().join().exitValue()
                  + " before it was ready"
                  + seeLog()));
    }

    private String seeLog() {
      return logFile == null ? "" : ": see " + logFile;
    }

    private OutputStream openLog() throws IOException {
      Path log = logFile;
      if (log == null) {
        return OutputStream.nullOutputStream();
      }
      return Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Keeps one older log of bounded size: a stack that runs for months must not fill the disk. */
    private static void prepareLogFile(Path log) throws IOException {
      Path directory = log.toAbsolutePath().getParent();
      if (directory != null) {
        Files.createDirectories(directory);
      }
      if (Files.exists(log) && Files.size(log) > LOG_FILE_LIMIT_BYTES) {
        Files.move(
            log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /** Reads {@code READY key=value …}; values hold no blanks. */
  static Map<String, String> parseReady(String line) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String part : line.substring(READY.length()).split(" ", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        values.put(part.substring(0, equals), part.substring(equals + 1));
      }
    }
    return Map.copyOf(values);
  }
}
