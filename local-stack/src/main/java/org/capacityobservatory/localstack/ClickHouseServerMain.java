package org.capacityobservatory.localstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ClickHouse engine behind HTTP on loopback. Arguments: the data directory, the port (0: any
 * free one), and if wanted the time zone, the number of concurrent queries, the time limit of a
 * query in seconds, and the memory limit in MiB.
 */
public final class ClickHouseServerMain {
  private static final Logger LOG = LoggerFactory.getLogger(ClickHouseServerMain.class);
  private static final long GRACE_MILLIS = 3_000;
  private static final long CANCEL_MILLIS = 12_000;

  private ClickHouseServerMain() {}

  /** Runs until SIGTERM, Ctrl-C or the parent's death. */
  public static void main(String[] args) {
    ChildMain child = ChildMain.arm();
    if (args.length < 2) {
      child.refuse(
          "usage: ClickHouseServerMain DIRECTORY PORT [ZONE [QUERIES [SECONDS [MEMORY_MIB]]]]");
    }
    Path directory = Path.of(args[0]).toAbsolutePath().normalize();
    try {
      run(child, directory, args);
    } catch (LocalStackException e) {
      child.refuse(e.getMessage());
    } catch (IOException | EngineException | RuntimeException e) {
      LOG.error("ClickHouse did not start", e);
      child.refuse("ClickHouse did not start in " + directory + ": " + e.getMessage());
    }
  }

  private static void run(ChildMain child, Path directory, String[] args)
      throws IOException, EngineException {
    int port = Integer.parseInt(args[1]);
    String timeZone = args.length > 2 ? args[2] : "UTC";
    int concurrent = args.length > 3 ? Integer.parseInt(args[3]) : 16;
    long timeLimitSeconds = args.length > 4 ? Long.parseLong(args[4]) : 60;
    int memoryMegabytes = args.length > 5 ? Integer.parseInt(args[5]) : 4096;

    if (port != 0 && !Ports.isFree(port)) {
      throw new LocalStackException(Ports.inUse("ClickHouse", port));
    }
    Path library = EngineLibrary.find();
    DirectoryLock lock = DirectoryLock.take(directory);
    Credentials credentials = Credentials.loadOrCreate(LocalClickHouse.secrets(directory));
    Path spool = directory.resolve("spool");
    if (Files.exists(spool)) {
      FileTrees.delete(spool);
    }
    Files.createDirectories(spool);
    Path config = EngineFiles.write(directory.resolve("config"), memoryMegabytes);

    Chdb.load(library);
    Servers servers = new Servers(lock);
    child.onStop(servers::stop);
    int listening =
        servers.start(
            List.of("--path=" + directory.resolve("engine"), "--config-file=" + config),
            engine ->
                new ClickHouseServer(
                    port,
                    new QueryPool(engine, concurrent),
                    new QueryRunner(engine, timeZone, timeLimitSeconds),
                    credentials,
                    spool));
    child.ready(Map.of("port", listening));
    child.awaitStop();
  }

  /** Engine and endpoint; a stop that comes while they start waits for that. */
  private static final class Servers {
    private final DirectoryLock lock;
    private @Nullable Engine engine;
    private @Nullable ClickHouseServer server;

    Servers(DirectoryLock lock) {
      this.lock = lock;
    }

    synchronized int start(
        List<String> engineArguments, Function<Engine, ClickHouseServer> endpoint)
        throws EngineException {
      engine = Engine.start(engineArguments);
      server = endpoint.apply(engine);
      return server.port();
    }

    synchronized void stop() {
      boolean ended = server == null || server.close(GRACE_MILLIS, CANCEL_MILLIS);
      if (engine != null) {
        if (!ended || engine.sessions() > 0) {
          // With a session open the engine can't be closed, and the JVM's own exit would hang or
          // crash in it. What was acknowledged is on disk.
          LOG.error("{} queries did not end: leaving them to the system", engine.sessions());
          Runtime.getRuntime().halt(4);
        }
        engine.close();
      }
      lock.close();
    }
  }
}
