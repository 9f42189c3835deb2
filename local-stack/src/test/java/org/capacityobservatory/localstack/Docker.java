package org.capacityobservatory.localstack;

import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;

/** Container tests run only where a Docker engine does. */
final class Docker {
  private Docker() {}

  static void assumeRuns() {
    Assumptions.assumeTrue(
        DockerClientFactory.instance().isDockerAvailable(),
        "skipped: no Docker engine runs here; the same contract runs on the embedded server");
  }
}
