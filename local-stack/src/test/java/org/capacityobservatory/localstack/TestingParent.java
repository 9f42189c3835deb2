package org.capacityobservatory.localstack;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Starts a whole stack in the directory given, writes down the process ids, and waits. */
public final class TestingParent {
  private TestingParent() {}

  /** Argument: the directory. */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    LocalKafka kafka = LocalKafka.start(LocalKafkaConfig.in(directory.resolve("kafka")));
    LocalClickHouse clickHouse =
        LocalClickHouse.start(LocalClickHouseConfig.in(directory.resolve("clickhouse")));
    Path fresh = Files.writeString(directory.resolve("new"), kafka.pid() + " " + clickHouse.pid());
    Files.move(fresh, directory.resolve("pids"), StandardCopyOption.ATOMIC_MOVE);
    Thread.sleep(600_000);
  }
}
