package org.capacityobservatory.localstack;

import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real Kafka, one KRaft node on loopback, in a JVM of its own. For laptops, demos and tests: it
 * has one replica of everything, no TLS and no passwords.
 */
public final class LocalKafka implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalKafka.class);

  /** Between choosing a free port and listening there, another process may take it. */
  private static final int ATTEMPTS_AT_FREE_PORTS = 3;

  private final LocalKafkaConfig config;
  private final int port;
  private volatile ChildProcess child;

  private LocalKafka(LocalKafkaConfig config, int port, ChildProcess child) {
    this.config = config;
    this.port = port;
    this.child = child;
  }

  /**
   * Starts the server and waits until it takes requests.
   *
   * @throws LocalStackException with one sentence when it can't: the port or the directory is in
   *     use, or the server ended or hung, for which the sentence names its log
   */
  public static LocalKafka start(LocalKafkaConfig config) {
    LOG.info("starting Kafka in {}", config.directory());
    if (config.port() != 0) {
      return new LocalKafka(config, config.port(), launch(config, config.port()));
    }
    for (int attempt = 1; ; attempt++) {
      int port = Ports.free();
      try {
        return new LocalKafka(config, port, launch(config, port));
      } catch (LocalStackException e) {
        if (attempt == ATTEMPTS_AT_FREE_PORTS || Ports.isFree(port)) {
          throw e;
        }
        LOG.info("port {} was taken meanwhile: trying another", port);
      }
    }
  }

  private static ChildProcess launch(LocalKafkaConfig config, int port) {
    long startNanos = System.nanoTime();
    ChildProcess started =
        ChildProcess.builder("kafka", KafkaServerMain.class)
            .jvmOptions(
                "-Xms" + Math.min(256, config.heapMegabytes()) + "m",
                "-Xmx" + config.heapMegabytes() + "m",
                "-Djava.awt.headless=true")
            .jvmOptions(ServerJvm.OPTIONS)
            .arguments(config.directory().toString(), Integer.toString(port))
            .logFile(config.logFile())
            .readyTimeout(config.readyTimeout())
            .start();
    LOG.info(
        "Kafka is ready on 127.0.0.1:{} (pid {}, {} ms)",
        port,
        started.pid(),
        (System.nanoTime() - startNanos) / 1_000_000);
    return started;
  }

  /** Starts the server again, on the same port and directory; ends the old one if it still runs. */
  public void restart() {
    child.close();
    child = launch(config, port);
  }

  /** What clients take as {@code bootstrap.servers}: {@code 127.0.0.1:port}. */
  public String bootstrap() {
    return "127.0.0.1:" + port;
  }

  /** The port on loopback; the same for the life of this object. */
  public int port() {
    return port;
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
