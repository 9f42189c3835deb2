package org.capacityobservatory.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.capacityobservatory.log.EventId;
import org.capacityobservatory.log.LineHeaders;

/** Records of the topic of lines as a shipper would write them, read in the plainest way. */
final class TestingLines {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final Path SAMPLES = Path.of("..", "samples");

  private TestingLines() {}

  static TestRecord<byte[], byte[]> record(String line, long position, long eventAtMillis) {
    return new TestRecord<>(
        "s".getBytes(UTF_8),
        line.getBytes(UTF_8),
        headers("s", position, LineHeaders.TIME_SOURCE_ENVELOPE, eventAtMillis),
        eventAtMillis);
  }

  static Headers headers(String source, long position, String timeSource, long readAtMillis) {
    return new RecordHeaders()
        .add(LineHeaders.EVENT_ID, bytes(EventId.of(source, 1, position).toString()))
        .add(LineHeaders.SOURCE, bytes(source))
        .add(LineHeaders.GENERATION, bytes("1"))
        .add(LineHeaders.POSITION, bytes(Long.toString(position)))
        .add(LineHeaders.TIME_SOURCE, bytes(timeSource))
        .add(LineHeaders.READ_AT, bytes(Long.toString(readAtMillis)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** The limiter's lines of one folder of samples, task A's (Docker) before task B's (CRI). */
  static List<TestRecord<byte[], byte[]>> ofSample(String folder) {
    List<TestRecord<byte[], byte[]>> records = new ArrayList<>();
    for (String name : List.of("api-a.log", "api-b.log")) {
      try (BufferedReader lines = open(SAMPLES.resolve(folder), name)) {
        long position = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          addIfOurs(name, line, position++, records);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return records;
  }

  private static void addIfOurs(
      String source, String line, long position, List<TestRecord<byte[], byte[]>> records)
      throws IOException {
    String content;
    String time;
    if (line.startsWith("{\"log\"")) {
      JsonNode docker = JSON.readTree(line);
      content = docker.get("log").asText().stripTrailing();
      time = docker.get("time").asText();
    } else {
      String[] fields = line.split(" ", 4);
      content = fields[3];
      time = fields[0];
    }
    if (content.startsWith("{\"event\":\"ocl_capacity")) {
      long at = Instant.parse(time).toEpochMilli();
      records.add(
          new TestRecord<>(
              bytes(source),
              bytes(content),
              headers(source, position, LineHeaders.TIME_SOURCE_ENVELOPE, at),
              at));
    }
  }

  private static BufferedReader open(Path folder, String name) throws IOException {
    Path packed = folder.resolve(name + ".gz");
    InputStream in =
        Files.exists(packed)
            ? new GZIPInputStream(Files.newInputStream(packed))
            : Files.newInputStream(folder.resolve(name));
    return new BufferedReader(new InputStreamReader(in, UTF_8));
  }
}
