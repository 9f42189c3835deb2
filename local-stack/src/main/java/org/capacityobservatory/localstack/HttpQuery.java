package org.capacityobservatory.localstack;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A query as it came over HTTP, without its body: the parameters of ClickHouse's HTTP interface
 * sorted into what they mean. What has no meaning of its own is a setting.
 *
 * @param text the query from the address; the body follows it
 * @param parameters values for {@code {name:Type}} in the query
 * @param settings settings in the order given
 */
record HttpQuery(
    String path,
    boolean get,
    String user,
    @Nullable String password,
    String text,
    @Nullable String database,
    String defaultFormat,
    String queryId,
    Map<String, String> parameters,
    Map<String, String> settings,
    boolean acceptsGzip,
    boolean waitForEnd) {

  private static final Pattern SETTING_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.]*");
  private static final Pattern QUERY_ID = Pattern.compile("[\\x21-\\x7e]{1,128}");

  /** Parameters of the interface that change nothing here. */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "user",
          "password",
          "query",
          "database",
          "default_format",
          "query_id",
          "quota_key",
          "stacktrace",
          "buffer_size",
          "wait_end_of_query",
          "client_protocol_version",
          "session_timeout",
          "session_check",
          "close_session",
          "http_write_exception_in_output_format",
          "framing");

  /** Reads a request's address and headers. */
  static HttpQuery of(HttpRequest request) throws EngineException {
    QueryStringDecoder address = new QueryStringDecoder(request.uri(), StandardCharsets.UTF_8);
    Map<String, List<String>> given = address.parameters();
    Map<String, String> parameters = new LinkedHashMap<>();
    Map<String, String> settings = new LinkedHashMap<>();
    for (Map.Entry<String, List<String>> entry : given.entrySet()) {
      String name = entry.getKey();
      String value = last(entry.getValue());
      if (name.startsWith("param_")) {
        parameters.put(name.substring("param_".length()), value);
      } else if (!WITHOUT_EFFECT.contains(name)) {
        requireSupported(name, value);
        settings.put(name, value);
      }
    }
    // These only tell that compression inside the body is off.
    settings.remove("compress");
    settings.remove("decompress");
    settings.remove("session_id");
    settings.remove("role");

    String[] login = login(request, given);
    String queryId = value(request, given, "X-ClickHouse-Query-Id", "query_id");
    if (queryId != null && !queryId.isEmpty() && !QUERY_ID.matcher(queryId).matches()) {
      throw bad("query_id must be 1 to 128 visible ASCII characters.");
    }
    String format = value(request, given, "X-ClickHouse-Format", "default_format");
    return new HttpQuery(
        address.path(),
        request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD),
        login[0],
        login.length > 1 ? login[1] : null,
        given.containsKey("query") ? last(given.get("query")) : "",
        value(request, given, "X-ClickHouse-Database", "database"),
        format == null || format.isEmpty() ? "TabSeparated" : format,
        queryId == null || queryId.isEmpty() ? UUID.randomUUID().toString() : queryId,
        parameters,
        settings,
        acceptsGzip(request),
        isOne(given.get("wait_end_of_query")));
  }

  private static void requireSupported(String name, String value) throws EngineException {
    boolean asked = !value.isEmpty() && !value.equals("0");
    if (asked && (name.equals("compress") || name.equals("decompress"))) {
      throw unsupported(
          "ClickHouse's own compression inside the body is not spoken here:"
              + " set compress=false (JDBC), or use gzip by Content-Encoding and Accept-Encoding.");
    }
    if (asked && name.equals("session_id")) {
      throw unsupported("Sessions are not kept here: send the settings with each query.");
    }
    if (asked && name.equals("role")) {
      throw unsupported("There are no roles here: use the user reader for read-only access.");
    }
    if (!SETTING_NAME.matcher(name).matches()) {
      throw bad("'" + name.replaceAll("[^\\x20-\\x7e]", "?") + "' is not the name of a setting.");
    }
  }

  /** User and password from the Authorization header, ClickHouse's own headers, or the address. */
  private static String[] login(HttpRequest request, Map<String, List<String>> given)
      throws EngineException {
    String basic = request.headers().get(HttpHeaderNames.AUTHORIZATION);
    if (basic != null && basic.regionMatches(true, 0, "Basic ", 0, 6)) {
      try {
        byte[] decoded = Base64.getDecoder().decode(basic.substring(6).trim());
        String[] parts = new String(decoded, StandardCharsets.UTF_8).split(":", 2);
        return parts[0].isEmpty() ? new String[] {LocalClickHouse.WRITER} : parts;
      } catch (IllegalArgumentException e) {
        throw EngineException.of(
            EngineException.AUTHENTICATION_FAILED,
            "AUTHENTICATION_FAILED",
            "The Authorization header can't be read.");
      }
    }
    String user = value(request, given, "X-ClickHouse-User", "user");
    String password = value(request, given, "X-ClickHouse-Key", "password");
    String name = user == null || user.isEmpty() ? LocalClickHouse.WRITER : user;
    return password == null ? new String[] {name} : new String[] {name, password};
  }

  private static @Nullable String value(
      HttpRequest request, Map<String, List<String>> given, String header, String parameter) {
    List<String> values = given.get(parameter);
    return values == null ? request.headers().get(header) : last(values);
  }

  private static boolean acceptsGzip(HttpRequest request) {
    String accepted = request.headers().get(HttpHeaderNames.ACCEPT_ENCODING);
    if (accepted == null) {
      return false;
    }
    for (String part : accepted.toLowerCase(Locale.ROOT).split(",", -1)) {
      String coding = part.trim();
      if (coding.equals("gzip")
          || (coding.startsWith("gzip;") && !coding.matches(".*q=0(\\.0*)?"))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOne(@Nullable List<String> values) {
    return values != null && last(values).equals("1");
  }

  private static String last(List<String> values) {
    return values.get(values.size() - 1);
  }

  private static EngineException bad(String sentence) {
    return EngineException.of(EngineException.BAD_ARGUMENTS, "BAD_ARGUMENTS", sentence);
  }

  private static EngineException unsupported(String sentence) {
    return EngineException.of(EngineException.NOT_IMPLEMENTED, "NOT_IMPLEMENTED", sentence);
  }

  boolean isReader() {
    return user.equals(LocalClickHouse.READER);
  }
}
