package org.capacityobservatory.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.Yaml;

/** The API's description, and the part of JSON Schema that it uses. */
final class ApiDescription {
  private final JsonNode root;

  private ApiDescription(JsonNode root) {
    this.root = root;
  }

  static ApiDescription read() {
    try (InputStream in = ApiDescription.class.getResourceAsStream("/capacity/openapi.yaml")) {
      Object tree = new Yaml().load(Objects.requireNonNull(in, "openapi.yaml"));
      return new ApiDescription(new ObjectMapper().valueToTree(tree));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> paths() {
    List<String> paths = new ArrayList<>();
    root.get("paths").fieldNames().forEachRemaining(paths::add);
    return paths;
  }

  JsonNode get(String path) {
    return root.get("paths").get(path).get("get");
  }

  /** The query parameters of a path, in order. */
  List<JsonNode> parameters(String path) {
    return StreamSupport.stream(get(path).path("parameters").spliterator(), false)
        .map(this::resolved)
        .toList();
  }

  JsonNode jsonContent(String path) {
    return get(path).get("responses").get("200").get("content").path("application/json");
  }

  JsonNode problemContent() {
    return root.at("/components/responses/Problem/content").get("application/problem+json");
  }

  /** Everything in which a 200 answer differs from its schema. */
  List<String> differences(String path, JsonNode answer) {
    return differences(jsonContent(path).get("schema"), answer, "$");
  }

  List<String> problemDifferences(JsonNode problem) {
    return differences(problemContent().get("schema"), problem, "$");
  }

  private JsonNode resolved(JsonNode node) {
    JsonNode reference = node.get("$ref");
    return reference == null ? node : resolved(root.at(reference.asText().substring(1)));
  }

  private List<String> differences(JsonNode schemaOrReference, JsonNode value, String at) {
    JsonNode schema = resolved(schemaOrReference);
    List<String> found = new ArrayList<>();
    if (schema.has("type") && !types(schema.get("type")).contains(typeOf(value, schema))) {
      found.add(at + " is " + value + ", not " + schema.get("type"));
      return found;
    }
    if (schema.has("enum") && !contains(schema.get("enum"), value)) {
      found.add(at + " is " + value + ", not one of " + schema.get("enum"));
    }
    if (value.isNumber()) {
      checkNumber(schema, value, at, found);
    } else if (value.isTextual()) {
      checkText(schema, value.asText(), at, found);
    } else if (value.isArray()) {
      checkArray(schema, value, at, found);
    } else if (value.isObject()) {
      checkObject(schema, value, at, found);
    }
    return found;
  }

  private static void checkNumber(JsonNode schema, JsonNode value, String at, List<String> found) {
    double number = value.asDouble();
    boolean tooSmall = schema.has("minimum") && number < schema.get("minimum").asDouble();
    boolean tooLarge = schema.has("maximum") && number > schema.get("maximum").asDouble();
    boolean between = schema.has("multipleOf") && number % schema.get("multipleOf").asDouble() != 0;
    if (tooSmall || tooLarge || between) {
      found.add(at + " is " + number + ", outside its bounds");
    }
  }

  private static void checkText(JsonNode schema, String value, String at, List<String> found) {
    try {
      if (schema.path("format").asText().equals("date-time")) {
        Instant.parse(value);
      }
    } catch (DateTimeException e) {
      found.add(at + " is " + value + ", no time");
    }
  }

  private void checkArray(JsonNode schema, JsonNode value, String at, List<String> found) {
    if (schema.has("maxItems") && value.size() > schema.get("maxItems").asInt()) {
      found.add(at + " has " + value.size() + " items");
    }
    for (int i = 0; i < value.size(); i++) {
      found.addAll(differences(schema.get("items"), value.get(i), at + "[" + i + "]"));
    }
  }

  private void checkObject(JsonNode schema, JsonNode value, String at, List<String> found) {
    for (JsonNode required : schema.path("required")) {
      if (!value.has(required.asText())) {
        found.add(at + " has no " + required.asText());
      }
    }
    JsonNode others = schema.path("additionalProperties");
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      String place = at + "." + field.getKey();
      JsonNode known = schema.path("properties").path(field.getKey());
      if (!known.isMissingNode()) {
        found.addAll(differences(known, field.getValue(), place));
      } else if (others.isObject()) {
        found.addAll(differences(others, field.getValue(), place));
      } else if (!others.asBoolean(false)) {
        found.add(place + " is not described");
      }
    }
  }

  private static List<String> types(JsonNode type) {
    return type.isArray()
        ? StreamSupport.stream(type.spliterator(), false).map(JsonNode::asText).toList()
        : List.of(type.asText());
  }

  private static String typeOf(JsonNode value, JsonNode schema) {
    if (value.isIntegralNumber()) {
      return types(schema.get("type")).contains("number") ? "number" : "integer";
    }
    return switch (value.getNodeType()) {
      case STRING -> "string";
      default -> value.getNodeType().name().toLowerCase(Locale.ROOT);
    };
  }

  private static boolean contains(JsonNode values, JsonNode value) {
    return StreamSupport.stream(values.spliterator(), false).anyMatch(value::equals);
  }
}
