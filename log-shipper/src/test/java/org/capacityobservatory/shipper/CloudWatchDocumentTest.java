package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.capacityobservatory.shipper.TestingLog.call;
import static org.capacityobservatory.shipper.TestingShipping.config;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CloudWatchDocumentTest {
  @TempDir Path folder;

  private static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  private static String event(int n) {
    return "{\"id\":\"3%d\",\"timestamp\":179000000000%d,\"message\":%s}"
        .formatted(n, n, quoted(call(n)));
  }

  private static String payload(int... numbers) {
    StringBuilder events = new StringBuilder();
    for (int n : numbers) {
      events.append(events.isEmpty() ? "" : ",").append(event(n));
    }
    return "{\"messageType\":\"DATA_MESSAGE\",\"owner\":\"123456789012\",\"logGroup\":\"api\","
        + "\"logStream\":\"api/api/1\",\"subscriptionFilters\":[\"all\"],\"logEvents\":["
        + events
        + "]}";
  }

  private static final String CONTROL =
      "{\"messageType\":\"CONTROL_MESSAGE\",\"owner\":\"CloudwatchLogs\",\"logGroup\":\"\","
          + "\"logStream\":\"\",\"subscriptionFilters\":[],\"logEvents\":[{\"id\":\"\","
          + "\"timestamp\":1790000000009,\"message\":\"CWL CONTROL MESSAGE: Checking health\"}]}";

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  private TestingShipping ship(byte[] content) throws IOException {
    Path file = folder.resolve("saved");
    Files.write(file, content);
    TestingShipping shipping = new TestingShipping(config(file.toString()).once(true).build());
    shipping.undonePass();
    shipping.finishOnce();
    shipping.kill();
    shipping.finishOnce();
    return shipping;
  }

  private SourceStatus status(TestingShipping shipping) {
    return shipping.status(folder.resolve("saved").toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "gzip", "zstd", "base64", "mime", "lambda"})
  void takesAPayloadHoweverItIsWrapped(String how) throws IOException {
    String text = payload(1, 2) + CONTROL + payload(3);
    byte[] content =
        switch (how) {
          case "gzip" -> gzip(text);
          case "zstd" -> Zstd.compress(text.getBytes(UTF_8));
          case "base64" -> Base64.getEncoder().encode(gzip(text));
          case "mime" -> Base64.getMimeEncoder().encode(gzip(text));
          case "lambda" ->
              ("{\"awslogs\": {\"data\": \""
                      + Base64.getEncoder().encodeToString(gzip(text))
                      + "\"}}\n")
                  .getBytes(UTF_8);
          default -> text.getBytes(UTF_8);
        };
    try (TestingShipping shipping = ship(content)) {
      assertThat(shipping.cids()).containsExactly(1, 2, 3);
      SourceStatus status = status(shipping);
      assertThat(status.books().notOurs()).as("the control message").isEqualTo(1);
      assertThat(status.state()).isEqualTo(SourceStatus.State.ENDED);
      assertThat(status.problem()).isNull();
      assertThat(status.clockMillis()).isEqualTo(1_790_000_000_009L);
    }
  }

  /** As {@code aws logs filter-log-events} prints it. */
  @Test
  void takesFilteredEvents() throws IOException {
    String text =
        """
        {
            "events": [
                {
                    "logStreamName": "api/api/1",
                    "timestamp": 1790000000001,
                    "message": %s,
                    "ingestionTime": 1790000000999,
                    "eventId": "36"
                },
                {
                    "logStreamName": "api/api/1",
                    "timestamp": 1790000000002,
                    "message": "[c1] noise",
                    "ingestionTime": 1790000000999,
                    "eventId": "37"
                }
            ],
            "searchedLogStreams": [{"logStreamName": "api/api/1", "searchedCompletely": true}],
            "nextToken": "x"
        }
        """
            .formatted(quoted(call(1) + "\n"));
    try (TestingShipping shipping = ship(text.getBytes(UTF_8))) {
      assertThat(shipping.cids()).containsExactly(1);
      assertThat(status(shipping).books().notOurs()).isEqualTo(1);
    }
  }

  /** As {@code aws logs get-log-events} prints it: events have no names there. */
  @Test
  void takesEventsWithoutNames() throws IOException {
    String event = "{\"timestamp\":1790000000001,\"message\":%s,\"ingestionTime\":1790000000999}";
    String text =
        "{\"events\":[%s,%s],\"nextForwardToken\":\"f/1\"}"
            .formatted(event.formatted(quoted(call(1))), event.formatted(quoted(call(1))));
    try (TestingShipping shipping = ship(text.getBytes(UTF_8))) {
      assertThat(shipping.cids()).containsExactly(1, 1);
      assertThat(shipping.shipped.get(0).position()).isZero();
      assertThat(shipping.shipped.get(1).position()).isPositive();
    }
  }

  @Test
  void anEmptyListHasNothing() throws IOException {
    try (TestingShipping shipping = ship("{\"events\": []}".getBytes(UTF_8))) {
      assertThat(status(shipping).state()).isEqualTo(SourceStatus.State.ENDED);
      assertThat(status(shipping).books()).isEqualTo(Books.EMPTY);
    }
  }

  @Test
  void anEventThatLacksItsTextIsCounted() throws IOException {
    String text = "{\"events\":[{\"eventId\":\"1\",\"timestamp\":1},{\"eventId\":\"2\"}, 7]}";
    try (TestingShipping shipping = ship(text.getBytes(UTF_8))) {
      assertThat(status(shipping).books().notOurs()).isEqualTo(2);
    }
  }

  @Test
  void aCutDocumentIsReadAsFarAsItGoes() throws IOException {
    byte[] whole = payload(1, 2, 3).getBytes(UTF_8);
    try (TestingShipping shipping = ship(Arrays.copyOf(whole, whole.length - 100))) {
      assertThat(shipping.cids()).containsExactly(1, 2);
      assertThat(status(shipping).state()).isEqualTo(SourceStatus.State.FAILED);
      assertThat(status(shipping).problem()).contains("CloudWatch data end early, after");
    }
  }

  @Test
  void aDamagedDocumentSaysSo() throws IOException {
    try (TestingShipping shipping = ship((payload(1) + "}").getBytes(UTF_8))) {
      assertThat(shipping.cids()).containsExactly(1);
      assertThat(status(shipping).problem()).contains("CloudWatch data are no JSON after");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"events\":[1,2]}",
        "{\"owner\":\"me\",\"event\":\"x\"}",
        "{\"event\":\"ocl_capacity\"}",
        "H4sI is how it begins",
        "[{\"id\":\"1\"}]"
      })
  void otherObjectsAreLines(String text) {
    assertThat(CloudWatchDocument.of(null, text.getBytes(UTF_8))).isNull();
  }

  /** The layout of an export to S3: a folder a log stream, gzip files of lines with their times. */
  @Test
  void takesAnExportFolder() throws IOException {
    Path stream = Files.createDirectories(folder.resolve("export/task-1/api-api-1"));
    Files.writeString(folder.resolve("export/aws-logs-write-test"), "Permission Check Successful");
    Files.write(
        stream.resolve("000000.gz"),
        gzip("2026-11-30T09:48:18.002Z " + call(1) + "\n2026-11-30T09:48:19.002Z noise\n"));
    Files.write(stream.resolve("000001.gz"), gzip("2026-11-30T09:48:20.002Z " + call(2) + "\n"));
    try (TestingShipping shipping =
        new TestingShipping(config(folder + "/export/**/*.gz").once(true).build())) {
      shipping.finishOnce();
      assertThat(shipping.cids()).containsExactlyInAnyOrder(1, 2);
      SourceStatus first = shipping.status(stream.resolve("000000.gz").toString());
      assertThat(first.clockMillis()).isEqualTo(1_796_032_098_002L);
      assertThat(first.books().notOurs()).isEqualTo(1);
    }
  }
}
