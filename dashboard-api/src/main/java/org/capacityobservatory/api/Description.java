package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The API's description: as it is written, and as a page that needs no script. */
final class Description {
  private static final byte[] TEXT =
      Objects.requireNonNull(WebAssets.read("/capacity/openapi.yaml"), "openapi.yaml");

  private static final String STYLE =
      """
      :root{color-scheme:light dark}
      body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
      h2{margin-top:2rem;border-top:1px solid #8888;padding-top:1rem}
      code,pre{font:13px/1.4 ui-monospace,monospace}pre{overflow:auto;padding:.6rem;border:1px solid #8888}
      table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0}
      """;

  private Description() {}

  static Reply yaml() {
    return reply("application/yaml", TEXT, null);
  }

  static Reply page() {
    Object root = new Yaml(new SafeConstructor(new LoaderOptions())).load(new String(TEXT, UTF_8));
    return reply("text/html; charset=utf-8", html(map(root)).getBytes(UTF_8), STYLE);
  }

  private static Reply reply(String type, byte[] content, @Nullable String style) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("ETag", "\"" + Hashes.base64(content) + "\"");
    headers.put("Cache-Control", "private, no-cache");
    if (style != null) {
      headers.put(
          "Content-Security-Policy",
          "default-src 'none'; style-src 'sha256-"
              + Hashes.base64(style)
              + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    }
    return new Reply(200, type, content, headers);
  }

  private static String html(Map<String, Object> root) {
    StringBuilder out = new StringBuilder();
    Map<String, Object> info = map(root.get("info"));
    out.append("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>")
        .append(escape(info.get("title")))
        .append(": API</title><style>")
        .append(STYLE)
        .append("</style></head><body><h1>")
        .append(escape(info.get("title")))
        .append(": API</h1><p>")
        .append(escape(info.get("summary")))
        .append("</p>");
    paragraphs(out, info.get("description"));
    out.append("<p><a href=\"/openapi.yaml\">As OpenAPI 3.1</a></p><ul>");
    Map<String, Object> paths = map(root.get("paths"));
    paths.forEach(
        (path, operations) ->
            map(operations)
                .forEach(
                    (method, operation) ->
                        out.append("<li><a href=\"#")
                            .append(escape(map(operation).get("operationId")))
                            .append("\"><code>")
                            .append(method.toUpperCase(Locale.ROOT))
                            .append(' ')
                            .append(escape(path))
                            .append("</code></a> ")
                            .append(escape(map(operation).get("summary")))
                            .append("</li>")));
    out.append("</ul>");
    Map<String, Object> shared = map(map(root.get("components")).get("parameters"));
    paths.forEach(
        (path, operations) ->
            map(operations)
                .forEach(
                    (method, operation) -> operation(out, path, method, map(operation), shared)));
    out.append("<h2>Schemas</h2>");
    map(map(root.get("components")).get("schemas"))
        .forEach(
            (name, schema) ->
                out.append("<h3 id=\"schema-")
                    .append(escape(name))
                    .append("\">")
                    .append(escape(name))
                    .append("</h3><pre>")
                    .append(escape(new Yaml().dumpAsMap(schema)))
                    .append("</pre>"));
    return out.append("</body></html>").toString();
  }

  private static void operation(
      StringBuilder out,
      String path,
      String method,
      Map<String, Object> operation,
      Map<String, Object> shared) {
    out.append("<h2 id=\"")
        .append(escape(operation.get("operationId")))
        .append("\"><code>")
        .append(method.toUpperCase(Locale.ROOT))
        .append(' ')
        .append(escape(path))
        .append("</code></h2><p>")
        .append(escape(operation.get("summary")))
        .append(". Least role: ")
        .append(escape(operation.get("x-role")))
        .append(".</p>");
    paragraphs(out, operation.get("description"));
    List<?> parameters = operation.get("parameters") instanceof List<?> list ? list : List.of();
    if (!parameters.isEmpty()) {
      out.append("<table><tr><th>Parameter</th><th>What it is</th><th>Values</th></tr>");
      for (Object one : parameters) {
        Map<String, Object> parameter = resolved(map(one), shared);
        out.append("<tr><td><code>")
            .append(escape(parameter.get("name")))
            .append("</code></td><td>")
            .append(escape(parameter.get("description")))
            .append("</td><td><code>")
            .append(escape(values(map(parameter.get("schema")))))
            .append("</code></td></tr>");
      }
      out.append("</table>");
    }
    content(out, "Body", map(map(operation.get("requestBody")).get("content")));
    map(operation.get("responses"))
        .forEach(
            (status, response) -> {
              if (!status.equals("default")) {
                out.append("<p>")
                    .append(escape(status))
                    .append(": ")
                    .append(escape(map(response).get("description")))
                    .append("</p>");
                content(out, "Answer", map(map(response).get("content")));
              }
            });
  }

  private static Map<String, Object> resolved(
      Map<String, Object> parameter, Map<String, Object> shared) {
    Object reference = parameter.get("$ref");
    return reference == null
        ? parameter
        : map(shared.get(String.valueOf(reference).replaceFirst(".*/", "")));
  }

  private static String values(Map<String, Object> schema) {
    if (schema.containsKey("$ref")) {
      return "text, repeatable";
    }
    Object items = schema.get("items");
    Object words = items == null ? schema.get("enum") : map(items).get("enum");
    return words == null ? String.valueOf(schema.getOrDefault("type", "")) : String.valueOf(words);
  }

  private static void content(StringBuilder out, String what, Map<String, Object> content) {
    content.forEach(
        (type, told) -> {
          out.append("<p>").append(what).append(": <code>").append(escape(type)).append("</code>");
          Object reference = map(map(told).get("schema")).get("$ref");
          if (reference != null) {
            String name = String.valueOf(reference).replaceFirst(".*/", "");
            out.append(", <a href=\"#schema-")
                .append(escape(name))
                .append("\">")
                .append(escape(name))
                .append("</a>");
          }
          out.append("</p>");
          Object example = map(told).get("example");
          if (example != null) {
            out.append("<pre>").append(escape(new Yaml().dumpAsMap(example))).append("</pre>");
          }
        });
  }

  private static void paragraphs(StringBuilder out, @Nullable Object text) {
    if (text != null) {
      for (String paragraph : text.toString().strip().split("\n\n", -1)) {
        out.append("<p>").append(escape(paragraph)).append("</p>");
      }
    }
  }

  private static Map<String, Object> map(@Nullable Object value) {
    Map<String, Object> named = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, one) -> named.put(String.valueOf(name), one));
    }
    return named;
  }

  private static String escape(@Nullable Object text) {
    return text == null
        ? ""
        : text.toString()
            .replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;")
            .replace("\"", "&quot;");
  }
}
