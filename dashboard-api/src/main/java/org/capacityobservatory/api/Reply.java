package org.capacityobservatory.api;

import java.util.Map;

/** An answer that isn't plain JSON with status 200. */
final class Reply {
  static final String JSON = "application/json";

  private final int status;
  private final String contentType;
  private final byte[] body;
  private final Map<String, String> headers;

  /**
   * Keeps the parts as they are.
   *
   * @param body not changed afterwards
   * @param headers beyond those of every answer; they replace them
   */
  Reply(int status, String contentType, byte[] body, Map<String, String> headers) {
    this.status = status;
    this.contentType = contentType;
    this.body = body;
    this.headers = headers;
  }

  static Reply json(int status, Object answer) {
    return json(status, answer, Map.of());
  }

  static Reply json(int status, Object answer, Map<String, String> headers) {
    return new Reply(status, JSON, Json.bytes(answer), headers);
  }

  static Reply nothing() {
    return nothing(Map.of());
  }

  static Reply nothing(Map<String, String> headers) {
    return new Reply(204, "", new byte[0], headers);
  }

  int status() {
    return status;
  }

  String contentType() {
    return contentType;
  }

  byte[] body() {
    return body;
  }

  Map<String, String> headers() {
    return headers;
  }
}
