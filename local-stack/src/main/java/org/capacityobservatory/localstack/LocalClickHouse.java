package org.capacityobservatory.localstack;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real ClickHouse engine behind HTTP on loopback, in a JVM of its own. For laptops, demos and
 * tests: it speaks the part of ClickHouse's HTTP interface that the official JDBC driver and curl
 * use, and has two fixed users.
 */
public final class LocalClickHouse implements AutoCloseable {
  /** The user that may read and write. */
  public static final String WRITER = "default";

  /** The user that may only read. */
  public static final String READER = "reader";

  private static final Logger LOG = LoggerFactory.getLogger(LocalClickHouse.class);
  private static final String SECRETS = "secrets";

  private final LocalClickHouseConfig config;
  private final int port;
  private volatile ChildProcess child;

  private LocalClickHouse(LocalClickHouseConfig config, ChildProcess child) {
    this.config = config;
    this.port = Integer.parseInt(child.ready().getOrDefault("port", "0"));
    this.child = child;
  }

  /**
   * Starts the server and waits until it takes queries.
   *
   * @throws LocalStackException with one sentence when it can't: the port or the directory is in
   *     use, the engine is not installed, or the server ended or hung, for which the sentence names
   *     its log
   */
  public static LocalClickHouse start(LocalClickHouseConfig config) {
    LOG.info("starting ClickHouse in {}", config.directory());
    return new LocalClickHouse(config, launch(config, config.port()));
  }

  private static ChildProcess launch(LocalClickHouseConfig config, int port) {
    long startNanos = System.nanoTime();
    ChildProcess.Builder builder =
        ChildProcess.builder("clickhouse", ClickHouseServerMain.class)
            .jvmOptions("-Xms64m", "-Xmx512m", "-Djava.awt.headless=true")
            .jvmOptions(ServerJvm.OPTIONS)
            .arguments(
                config.directory().toString(),
                Integer.toString(port),
                config.timeZone().getId(),
                Integer.toString(config.concurrentQueries()),
                Long.toString(config.queryTimeLimit().toSeconds()),
                Integer.toString(config.memoryMegabytes()))
            // The engine takes the server's zone from here.
            .environment("TZ", config.timeZone().getId())
            .logFile(config.logFile())
            .readyTimeout(config.readyTimeout());
    handOn(builder, EngineLibrary.PROPERTY);
    handOn(builder, EngineLibrary.HOME_PROPERTY);
    ChildProcess started = builder.start();
    LOG.info(
        "ClickHouse is ready on 127.0.0.1:{} (pid {}, {} ms)",
        started.ready().get("port"),
        started.pid(),
        (System.nanoTime() - startNanos) / 1_000_000);
    return started;
  }

  private static void handOn(ChildProcess.Builder builder, String property) {
    @Nullable String value = System.getProperty(property);
    if (value != null) {
      builder.jvmOptions("-D" + property + "=" + value);
    }
  }

  /** Starts the server again, on the same port and directory; ends the old one if it still runs. */
  public void restart() {
    child.close();
    child = launch(config, port);
  }

  /** The address of the HTTP interface. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** The port on loopback; the same for the life of this object. */
  public int port() {
    return port;
  }

  /**
   * The file with the password of {@link #WRITER} or {@link #READER}; only its owner can read it.
   */
  public Path passwordFile(String user) {
    return Credentials.file(config.directory().resolve(SECRETS), user);
  }

  /**
   * The password of {@link #WRITER} or {@link #READER}.
   *
   * @throws LocalStackException when its file can't be read
   */
  public String password(String user) {
    Path file = passwordFile(user);
    try {
      return Credentials.read(file);
    } catch (IOException e) {
      throw new LocalStackException("The password file " + file + " can't be read: " + e, e);
    }
  }

  static Path secrets(Path directory) {
    return directory.resolve(SECRETS);
  }

  /** Whether the server's process runs. */
  public boolean isAlive() {
    return child.isAlive();
  }

  /** The process id of the server that runs now, or ran last. */
  public long pid() {
    return child.pid();
  }

  /** The exit code, once the process has ended. */
  public OptionalInt exitCode() {
    return child.exitCode();
  }

  /** Completes with the exit code when the process that runs now ends. */
  public CompletableFuture<Integer> onExit() {
    return child.onExit();
  }

  /** Ends the process as kill -9 does. */
  public void kill() {
    child.kill();
  }

  /** Closes the server cleanly, or by force when it doesn't close in time. */
  @Override
  public void close() {
    child.close();
  }
}
