package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real browser that reads the page: {@code web/e2e/read-page.mjs}. */
final class TestingBrowser {
  private static final int NO_BROWSER = 3;

  private TestingBrowser() {}

  /**
   * Opens an address and tells what is on the page; skips the test where there is no browser, which
   * CI does not accept.
   */
  static JsonNode read(URI url, String... options) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("node", "web/e2e/read-page.mjs", url.toString()));
    command.addAll(List.of("--timeout-ms", "90000"));
    command.addAll(List.of(options));
    Path out = Files.createTempFile(Path.of("target"), "page-", ".json");
    Path errors = Files.createTempFile(Path.of("target"), "page-", ".err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(process.waitFor(180, TimeUnit.SECONDS)).as("the browser ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(errors, UTF_8);
    if (process.exitValue() == NO_BROWSER && !"true".equals(System.getenv("CI"))) {
      assumeThat(said).as("skipped: there is no browser").isEmpty();
    }
    assertThat(process.exitValue()).as(said).isZero();
    return TestingClient.parse(Files.readString(out, UTF_8));
  }
}
