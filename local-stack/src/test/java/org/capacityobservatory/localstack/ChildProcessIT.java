package org.capacityobservatory.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  private ChildProcess.Builder child(String does) {
    return ChildProcess.builder("testing", TestingChild.class)
        .jvmOptions("-XX:TieredStopAtLevel=1")
        .arguments(does, closed().toString())
        .environment("GREETING", "hello")
        .logFile(log());
  }

  private Path closed() {
    return directory.resolve("closed");
  }

  private Path log() {
    return directory.resolve("logs/child.log");
  }

  @Test
  void handsOverReadyValuesAndClosesCleanly() throws Exception {
    ChildProcess child = child("runs").start();
    assertThat(child.ready()).containsEntry("port", "4711").containsEntry("greeting", "hello");
    assertThat(child.isAlive()).isTrue();
    assertThat(child.exitCode()).isEmpty();
    child.close();
    assertThat(child.isAlive()).isFalse();
    assertThat(child.exitCode()).hasValue(143);
    assertThat(closed()).hasContent("closed");
    assertThat(log()).content().contains("a line of its own on stdout").doesNotContain("READY");
  }

  @Test
  void ctrlCIsTheParentsBusiness() throws Exception {
    try (ChildProcess child = child("runs").start()) {
      signal("INT", child.pid());
      // A signal that took effect would be seen before the next one's.
      signal("TERM", child.pid());
      await().atMost(PATIENCE).until(() -> !child.isAlive());
      assertThat(child.exitCode()).as("128 + SIGTERM, not SIGINT's 130").hasValue(143);
      assertThat(closed()).exists();
    }
  }

  @Test
  void aChildEndsWhenItsStdinDoes() throws Exception {
    Process process = launch(true);
    awaitReady(process);
    process.getOutputStream().close();
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(closed()).hasContent("closed");
  }

  @Test
  void startedByHandItDoesntWatchItsStdin() throws Exception {
    Process process = launch(false);
    try {
      awaitReady(process);
      process.getOutputStream().close();
      assertThat(process.waitFor(1500, TimeUnit.MILLISECONDS)).isFalse();
      process.destroy();
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(closed()).hasContent("closed");
    } finally {
      process.destroyForcibly();
    }
  }

  private Process launch(boolean watched) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                TestingChild.class.getName(),
                "runs",
                closed().toString())
            .redirectError(log(directory).toFile());
    builder.environment().put("GREETING", "hello");
    builder.environment().remove(ChildProcess.WATCHED);
    if (watched) {
      builder.environment().put(ChildProcess.WATCHED, "1");
    }
    return builder.start();
  }

  private static Path log(Path directory) throws IOException {
    return Files.createDirectories(directory.resolve("logs")).resolve("child.log");
  }

  private static void awaitReady(Process process) throws IOException {
    String line = process.inputReader().readLine();
    assertThat(line).startsWith(ChildProcess.READY + " ");
  }

  @Test
  void refusalsComeAsOneSentence() {
    assertThatThrownBy(() -> child("refuses").start())
        .isInstanceOf(LocalStackException.class)
        .hasMessage("The thing is in use: stop it.");
  }

  @Test
  void anEarlyEndNamesItsCodeAndItsLog() {
    assertThatThrownBy(() -> child("dies").start())
        .isInstanceOf(LocalStackException.class)
        .hasMessageContaining("exit code 7")
        .hasMessageContaining(log().toString());
    assertThat(log()).content().contains("dying words");
  }

  @Test
  void aChildThatNeverGetsReadyIsEnded() {
    assertThatThrownBy(() -> child("hangs").readyTimeout(Duration.ofSeconds(2)).start())
        .isInstanceOf(LocalStackException.class)
        .hasMessageContaining("not ready after 2 s");
    assertThat(ProcessHandle.current().children())
        .filteredOn(child -> child.info().commandLine().orElse("").contains(directory.toString()))
        .noneMatch(ProcessHandle::isAlive);
  }

  private static void signal(String name, long pid) throws Exception {
    Process kill =
        new ProcessBuilder(List.of("kill", "-" + name, Long.toString(pid))).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }
}
