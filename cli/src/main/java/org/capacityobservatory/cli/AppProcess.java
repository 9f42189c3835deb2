package org.capacityobservatory.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.capacityobservatory.localstack.ChildProcess;

/** A process of ours as a child: {@code capacity NAME …} with its own log file. */
final class AppProcess implements Supervised {
  private final String name;
  private final List<String> arguments;
  private final Path logFile;
  private volatile ChildProcess child;

  private AppProcess(String name, List<String> arguments, Path logFile) {
    this.name = name;
    this.arguments = List.copyOf(arguments);
    this.logFile = logFile;
    this.child = launch();
  }

  /** Starts it and waits until it is ready. */
  static AppProcess start(String name, List<String> arguments, Path logFile) {
    return new AppProcess(name, arguments, logFile);
  }

  private ChildProcess launch() {
    return ChildProcess.builder(name, Main.class)
        .jvmOptions(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-Xmx384m",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dcapacity.log.level=INFO")
        .arguments(name)
        .arguments(arguments.toArray(String[]::new))
        .logFile(logFile)
        .start();
  }

  /** A value of its READY line. */
  String ready(String key) {
    return child.ready().getOrDefault(key, "");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public CompletableFuture<Integer> onExit() {
    return child.onExit();
  }

  @Override
  public void restart() {
    child = launch();
  }

  @Override
  public void close() {
    child.close();
  }
}
