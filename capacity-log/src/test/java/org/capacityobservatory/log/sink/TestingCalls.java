package org.capacityobservatory.log.sink;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.log.LineException;
import org.capacityobservatory.log.LineParser;

/** Calls that are told apart by their {@code cid}. */
final class TestingCalls {
  private TestingCalls() {}

  static CapacityCall call(String cid) {
    return parsed(
        "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"held_ms\":840,\"cid\":\"%s\"}"
            .formatted(cid));
  }

  static CapacityCall parsed(String line) {
    try {
      return (CapacityCall) LineParser.parse(line.getBytes(UTF_8));
    } catch (LineException e) {
      throw new AssertionError(line, e);
    }
  }

  static List<String> cids(List<String> lines) {
    return lines.stream().map(line -> String.valueOf(parsed(line).cid())).toList();
  }

  /** What lines say of dropped ones, in all. */
  static long told(List<String> lines) {
    return lines.stream()
        .map(line -> parsed(line).logDropped())
        .mapToLong(told -> told == null ? 0 : told)
        .sum();
  }
}
