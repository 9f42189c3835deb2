package org.capacityobservatory.api;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The page, as it was built into this module: index.html and the files it names. */
final class WebAssets {
  private static final Pattern FILE =
      Pattern.compile("[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*\\.([a-z0-9]+)");
  private static final Map<String, String> TYPES =
      Map.of(
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "woff2", "font/woff2");

  private WebAssets() {}

  static void index(Context request) {
    byte[] page = read("/capacity/web/index.html");
    if (page == null) {
      throw new ProblemException(
          Problem.of(
              "no-page",
              404,
              "The page was not built",
              "Build the dashboard-api module with Maven"));
    }
    request.header("Cache-Control", "no-cache");
    request.contentType("text/html; charset=utf-8").result(page);
  }

  /** A file that index.html names; its name carries a hash of its content, so it never changes. */
  static void asset(Context request) {
    String name = request.pathParam("file");
    Matcher file = FILE.matcher(name);
    String type = file.matches() ? TYPES.get(file.group(1)) : null;
    byte[] content = type == null ? null : read("/capacity/web/assets/" + name);
    if (type == null || content == null) {
      throw new ProblemException(
          Problem.of("not-found", 404, "Not found", "There is no such file"));
    }
    request.header("Cache-Control", "public, max-age=31536000, immutable");
    request.contentType(type).result(content);
  }

  static byte @Nullable [] read(String resource) {
    try (InputStream in = WebAssets.class.getResourceAsStream(resource)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("Can't read " + resource, e);
    }
  }
}
