package org.capacityobservatory.localstack;

import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.clickhouse.ClickHouseContainer;

/** The same contract on a ClickHouse server in a container, where a Docker engine runs. */
class ContainerClickHouseIT extends ClickHouseContract {
  private static final ClickHouseContainer SERVER =
      new ClickHouseContainer("clickhouse/clickhouse-server:26.7");

  @BeforeAll
  static void start() {
    Docker.assumeRuns();
    SERVER.start();
  }

  @AfterAll
  static void stop() {
    SERVER.stop();
  }

  @Override
  URI url() {
    return URI.create(SERVER.getHttpUrl());
  }

  @Override
  String user() {
    return SERVER.getUsername();
  }

  @Override
  String password() {
    return SERVER.getPassword();
  }
}
