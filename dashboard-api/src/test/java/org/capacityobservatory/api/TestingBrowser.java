package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A real browser that walks the pages: {@code web/e2e/walk-pages.mjs}. */
final class TestingBrowser {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int NO_BROWSER = 3;

  private TestingBrowser() {}

  /**
   * Takes steps and tells what was on the page after each; skips the test where there is no
   * browser, which CI does not accept.
   *
   * @param steps as the script's head describes them
   */
  static List<JsonNode> walk(URI url, List<? extends Map<String, ?>> steps)
      throws IOException, InterruptedException {
    Path in = Files.createTempFile(Path.of("target"), "steps-", ".json");
    Path out = Files.createTempFile(Path.of("target"), "seen-", ".json");
    Path errors = Files.createTempFile(Path.of("target"), "seen-", ".err");
    Files.writeString(in, JSON.writeValueAsString(steps));
    Process process =
        new ProcessBuilder("node", "web/e2e/walk-pages.mjs", url.toString())
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("the browser ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(errors, UTF_8);
    if (process.exitValue() == NO_BROWSER && !"true".equals(System.getenv("CI"))) {
      assumeThat(said).as("skipped: there is no browser").isEmpty();
    }
    assertThat(process.exitValue()).as(said).isZero();
    List<JsonNode> seen = new ArrayList<>();
    TestingClient.parse(Files.readString(out, UTF_8)).forEach(seen::add);
    assertThat(seen).hasSameSizeAs(steps);
    return seen;
  }
}
