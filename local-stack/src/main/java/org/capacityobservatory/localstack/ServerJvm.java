package org.capacityobservatory.localstack;

/** JVM options that the servers share. */
final class ServerJvm {
  /** For a quick start and a small footprint on a machine with few cores. */
  static final String[] OPTIONS = {
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Xshare:auto",
    "-XX:-UsePerfData",
    "-XX:+ExitOnOutOfMemoryError",
    "-Dfile.encoding=UTF-8",
    "-Dlogback.configurationFile=org/capacityobservatory/localstack/server-logback.xml"
  };

  private ServerJvm() {}
}
