package org.capacityobservatory.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.MissingNode;
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

  /** One method of one path. */
  record Operation(String method, String path) {
    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    for (String path : paths()) {
      root.get("paths")
          .get(path)
          .fieldNames()
          .forEachRemaining(
              method -> operations.add(new Operation(method.toUpperCase(Locale.ROOT), path)));
    }
    return operations;
  }

  /** Paths that answer a GET in JSON without more than what they are. */
  List<String> plainPaths() {
    return operations().stream()
        .filter(operation -> operation.method().equals("GET") && !operation.path().contains("{"))
        .filter(operation -> !node(operation).findValues("required").contains(BooleanNode.TRUE))
        .map(Operation::path)
        .filter(path -> !jsonContent(path).isMissingNode())
        .toList();
  }

  JsonNode node(Operation operation) {
    return root.get("paths")
        .path(operation.path())
        .path(operation.method().toLowerCase(Locale.ROOT));
  }

  /** The least role, or none. */
  String role(Operation operation) {
    return node(operation).path("x-role").asText();
  }

  /** The parameters of an operation, in order. */
  List<JsonNode> parameters(Operation operation) {
    return StreamSupport.stream(node(operation).path("parameters").spliterator(), false)
        .map(this::resolved)
        .toList();
  }

  List<JsonNode> parameters(String path) {
    return parameters(new Operation("GET", path));
  }

  /** What an operation answers when all is well, in JSON; missing where it is something else. */
  JsonNode jsonContent(Operation operation) {
    for (Map.Entry<String, JsonNode> response : node(operation).path("responses").properties()) {
      if (response.getKey().startsWith("2")) {
        return response.getValue().path("content").path("application/json");
      }
    }
    return MissingNode.getInstance();
  }

  JsonNode jsonContent(String path) {
    return jsonContent(new Operation("GET", path));
  }

  JsonNode bodyContent(Operation operation) {
    return node(operation).path("requestBody").path("content").path("application/json");
  }

  List<String> differences(Operation operation, JsonNode answer) {
    return differences(jsonContent(operation).get("schema"), answer, "$");
  }

  List<String> bodyDifferences(Operation operation, JsonNode body) {
    return differences(bodyContent(operation).get("schema"), body, "$");
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
