package org.capacityobservatory.calibration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** The sample lines, and demands built by hand. */
final class TestingTraces {
  static final Path SAMPLES = Path.of("..", "samples");

  private TestingTraces() {}

  static Recording read(String... files) {
    Recording.Builder builder = new Recording.Builder();
    for (String file : files) {
      try (InputStream in = Files.newInputStream(SAMPLES.resolve(file))) {
        new LogReader(builder).read(file, in);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return builder.build();
  }

  static Recording shadow() {
    return read("shadow/api-a.log", "shadow/api-b.log");
  }

  static Recording enforce() {
    return read("enforce/api-a.log.gz", "enforce/api-b.log.gz");
  }

  static Recording events() {
    return read("events/api-a.log", "events/api-b.log");
  }

  /** What enforcement did, client by client. */
  static List<Map<String, Object>> clients() {
    List<Map<String, Object>> clients = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(
                    Files.newInputStream(SAMPLES.resolve("enforce/clients.jsonl.gz"))),
                StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        clients.add(ConfigText.tree(line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return clients;
  }

  static Options options(int seeds) {
    Options d = Options.defaults();
    return new Options(
        d.changes(),
        d.enforcement(),
        d.aware(),
        true,
        true,
        4,
        true,
        seeds,
        1,
        d.threads(),
        false,
        List.of(),
        Map.of());
  }

  /** Limits so wide that none ever binds. */
  static LimiterConfig wide() {
    return LimiterConfig.starting()
        .with(
            Map.of(
                "api_heavy.cluster", LimiterConfig.MAX_LIMIT,
                "api_heavy.per_task", LimiterConfig.MAX_LIMIT,
                "es2_knn", LimiterConfig.MAX_LIMIT,
                "reserve_single_row", 0,
                "tiers.core", LimiterConfig.MAX_LIMIT,
                "per_user.core", LimiterConfig.MAX_LIMIT));
  }

  static ConfigTimeline always(LimiterConfig config) {
    return new ConfigTimeline(
        List.of(new ConfigTimeline.Step(Long.MIN_VALUE, config)), List.of(), 0);
  }

  /** Open calls of one user on one task, at given times for given lengths. */
  static Demand open(long[] atMicros, long[] heldMicros) {
    DemandDraft d = new DemandDraft(atMicros.length);
    d.names =
        new Demand.Names(
            List.of("core"),
            List.of(1L),
            List.of("$rerank"),
            List.of("test"),
            List.of("all"),
            List.of("task"));
    d.service = ServiceModel.flat(1, 0, 0, 0);
    for (int c = 0; c < atMicros.length; c++) {
      d.earliest[c] = atMicros[c];
      d.latest[c] = atMicros[c];
      d.heldMicros[c] = heldMicros[c];
      d.baseMicros[c] = heldMicros[c];
      d.recordedConcurrency[c] = 1;
    }
    d.units = 1;
    return new Demand(d);
  }
}
