package org.capacityobservatory.api;

import java.util.Map;

/**
 * An answer that isn't plain JSON with status 200.
 *
 * @param headers beyond those of every answer; they replace them
 */
record Reply(int status, String contentType, byte[] body, Map<String, String> headers) {
  static final String JSON = "application/json";

  static Reply json(int status, Object answer) {
    return json(status, answer, Map.of());
  }

  static Reply json(int status, Object answer, Map<String, String> headers) {
    return new Reply(status, JSON, Json.bytes(answer), headers);
  }

  static Reply nothing() {
    return new Reply(204, "", new byte[0], Map.of());
  }
}
