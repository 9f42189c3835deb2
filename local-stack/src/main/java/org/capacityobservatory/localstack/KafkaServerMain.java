package org.capacityobservatory.localstack;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Kafka broker and controller in one process, on loopback. Arguments: the data directory and
 * the port.
 */
public final class KafkaServerMain {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaServerMain.class);
  private static final int NODE_ID = 1;
  private static final String FORMATTED = "meta.properties";

  private KafkaServerMain() {}

  /** Runs until SIGTERM, Ctrl-C or the parent's death. */
  public static void main(String[] args) throws Exception {
    ChildMain child = ChildMain.arm();
    if (args.length != 2) {
      child.refuse("usage: KafkaServerMain DIRECTORY PORT");
    }
    Path directory = Path.of(args[0]);
    int port = Integer.parseInt(args[1]);
    try {
      run(child, directory, port == 0 ? Ports.free() : port);
    } catch (LocalStackException e) {
      child.refuse(e.getMessage());
    } catch (Exception e) {
      // Closing what was half started is left to the end of the process: Kafka's own may hang.
      LOG.error("Kafka did not start", e);
      child.refuse("Kafka did not start in " + directory + ": " + rootMessage(e));
    }
  }

  private static void run(ChildMain child, Path directory, int port) throws Exception {
    if (!Ports.isFree(port)) {
      throw new LocalStackException(Ports.inUse("Kafka", port));
    }
    DirectoryLock lock = DirectoryLock.take(directory);
    Path logs = directory.resolve("logs");
    format(logs);
    KafkaRaftServer server =
        new KafkaRaftServer(new KafkaConfig(properties(logs, port, Ports.free())), Time.SYSTEM);
    server.startup();
    child.onStop(
        () -> {
          server.shutdown();
          server.awaitShutdown();
          lock.close();
        });
    child.ready(Map.of("port", port));
    child.awaitStop();
  }

  /**
   * Writes the cluster's id and first metadata into a new directory; an old one is left alone. It
   * gets its name only when it is whole: Kafka would neither start on a half-written one nor mend
   * it.
   */
  private static void format(Path logs) throws Exception {
    if (Files.exists(logs.resolve(FORMATTED))) {
      return;
    }
    if (Files.exists(logs)) {
      throw new LocalStackException(
          logs
              + " has no "
              + FORMATTED
              + ", so it is no directory of Kafka's or a damaged one: give another data directory.");
    }
    Path fresh = logs.resolveSibling("logs.new");
    if (Files.exists(fresh)) {
      FileTrees.delete(fresh);
    }
    Files.createDirectories(fresh);
    new Formatter()
        .setPrintStream(System.err)
        .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
        .setNodeId(NODE_ID)
        .setClusterId(Uuid.randomUuid().toString())
        .setDirectories(List.of(fresh.toString()))
        .setMetadataLogDirectory(fresh.toString())
        .setControllerListenerName("CONTROLLER")
        .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
        .run();
    Files.move(fresh, logs, StandardCopyOption.ATOMIC_MOVE);
  }

  private static Map<String, String> properties(Path logs, int port, int controllerPort) {
    Map<String, String> p = new HashMap<>();
    p.put("process.roles", "broker,controller");
    p.put("node.id", Integer.toString(NODE_ID));
    p.put("controller.quorum.voters", NODE_ID + "@127.0.0.1:" + controllerPort);
    p.put(
        "listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
    p.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
    p.put("controller.listener.names", "CONTROLLER");
    p.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    p.put("log.dirs", logs.toString());

    // A topic that nobody created is a mistake to be told of, not to be made good silently.
    p.put("auto.create.topics.enable", "false");
    p.put("default.replication.factor", "1");
    p.put("offsets.topic.replication.factor", "1");
    p.put("offsets.topic.num.partitions", "4");
    p.put("transaction.state.log.replication.factor", "1");
    p.put("transaction.state.log.min.isr", "1");
    p.put("transaction.state.log.num.partitions", "4");
    p.put("share.coordinator.state.topic.replication.factor", "1");
    p.put("share.coordinator.state.topic.min.isr", "1");
    p.put("share.coordinator.state.topic.num.partitions", "1");
    p.put("group.initial.rebalance.delay.ms", "0");

    // The controller takes a broker that was killed for alive until its session ends, and lets no
    // successor register; the default of 9 s would be added to every restart.
    p.put("broker.session.timeout.ms", "3000");
    p.put("broker.heartbeat.interval.ms", "500");

    // Few threads: the stack shares a laptop with everything else.
    p.put("num.network.threads", "2");
    p.put("num.io.threads", "4");
    p.put("num.recovery.threads.per.data.dir", "2");
    p.put("log.cleaner.dedupe.buffer.size", Integer.toString(16 << 20));
    p.put("offsets.load.buffer.size", Integer.toString(1 << 20));
    p.put("transaction.state.log.segment.bytes", Integer.toString(16 << 20));
    p.put("offsets.topic.segment.bytes", Integer.toString(16 << 20));
    p.put("metadata.log.segment.bytes", Integer.toString(16 << 20));
    return p;
  }

  private static String rootMessage(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = root.getMessage();
    return message == null ? root.toString() : message;
  }
}
