package org.capacityobservatory.log.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process's end does to lines in hand; each is a real process. */
class SinkExitIT {
  private static final int CEILING_SECONDS = 120;

  @TempDir Path folder;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endProcesses() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void theExitWaitsForLinesQueuedAndBeingWritten() throws Exception {
    Path file = folder.resolve("exit.log");
    assertThat(exitCode(start(Path.of("/dev/null"), "in-flight", file.toString(), "exit")))
        .isZero();
    assertThat(TestingCalls.cids(Files.readAllLines(file)))
        .containsExactly("being-written", "queued");
  }

  /** Shows that the test above can fail: without the exit's wait the same lines are lost. */
  @Test
  void withoutTheExitsWaitTheLinesWouldBeLost() throws Exception {
    Path file = folder.resolve("halt.log");
    assertThat(exitCode(start(Path.of("/dev/null"), "in-flight", file.toString(), "halt")))
        .isZero();
    assertThat(Files.readAllLines(file)).isEmpty();
  }

  /** Nobody reads the pipe: a process that waited for its output would never end. */
  @Test
  void aBlockedStdoutDoesNotHoldTheExit() throws Exception {
    Path said = folder.resolve("stderr");
    Process process = start(said, "stdout", "20000");
    assertThat(exitCode(process)).isZero();
    assertThat(Files.readString(said)).contains("offered 20000");
    // It was blocked: the pipe is full of lines, and the last of them is cut off.
    String got = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(got.length()).isBetween(4_096, 2_000_000);
    assertThat(got.lines().count()).isLessThan(20_000);
  }

  private int exitCode(Process process) throws InterruptedException {
    assertThat(process.waitFor(CEILING_SECONDS, TimeUnit.SECONDS)).as("it ended").isTrue();
    return process.exitValue();
  }

  private Process start(Path stderr, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-cp", System.getProperty("java.class.path")));
    command.add(TestingSinkMain.class.getName());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectError(stderr.toFile()).start();
    started.add(process);
    return process;
  }
}
