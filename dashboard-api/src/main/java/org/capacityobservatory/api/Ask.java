package org.capacityobservatory.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One request, as a resource sees it.
 *
 * @param caller who asks
 * @param parameters of the query
 * @param path parameters of the path
 * @param body the JSON sent; missing where there is none
 * @param session the browser's session, if it sent any
 */
record Ask(
    Caller caller,
    Parameters parameters,
    Map<String, String> path,
    JsonNode body,
    @Nullable String session) {
  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /** A path parameter that must be a UUID; a wrong one is an error of the parameters. */
  UUID uuid(String name) {
    String text = path.getOrDefault(name, "");
    if (!UUID_FORM.matcher(text).matches()) {
      parameters.error(
          name,
          "'" + Parameters.shown(text) + "' is no UUID",
          "use one of an answer, such as 5f0c3a52-8d0e-5c52-9a52-2d5a1c2f7b10");
      return new UUID(0, 0);
    }
    return UUID.fromString(text);
  }
}
