package org.capacityobservatory.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * What went wrong with a request, in the form of RFC 9457.
 *
 * @param type which kind of problem, a URN
 * @param title the kind in words
 * @param status the HTTP status
 * @param detail this occurrence, and what to do about it
 * @param errors for wrong parameters: each one, and its remedy
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record Problem(String type, String title, int status, String detail, List<ParameterError> errors) {
  static final String CONTENT_TYPE = "application/problem+json";

  /** One wrong parameter and its remedy. */
  record ParameterError(String parameter, String detail, String remedy) {}

  static Problem parameters(List<ParameterError> errors) {
    String first = errors.get(0).parameter() + ": " + errors.get(0).detail();
    String detail = errors.size() == 1 ? first : first + " (and " + (errors.size() - 1) + " more)";
    return new Problem(
        "urn:capacity:problem:invalid-parameter",
        "A parameter is wrong",
        400,
        detail,
        List.copyOf(errors));
  }

  static Problem of(String kind, int status, String title, String detail) {
    return new Problem("urn:capacity:problem:" + kind, title, status, detail, List.of());
  }
}
