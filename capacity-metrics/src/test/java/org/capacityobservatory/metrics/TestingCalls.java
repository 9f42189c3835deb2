package org.capacityobservatory.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.capacityobservatory.log.CapacityCall;
import org.capacityobservatory.log.LineException;
import org.capacityobservatory.log.LineParser;

/** Calls as the limiter would write them. */
final class TestingCalls {
  private TestingCalls() {}

  /** An admitted call with further fields, in JSON without braces and quotes as {@code '}. */
  static CapacityCall call(String fields) {
    String line =
        "{\"event\":\"ocl_capacity\",\"decision\":\"admitted\""
            + (fields.isEmpty() ? "" : "," + fields.replace('\'', '"'))
            + "}";
    try {
      return (CapacityCall) LineParser.parse(line.getBytes(UTF_8));
    } catch (LineException e) {
      throw new AssertionError(line, e);
    }
  }
}
