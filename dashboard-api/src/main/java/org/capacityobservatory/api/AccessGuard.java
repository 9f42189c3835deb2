package org.capacityobservatory.api;

import io.javalin.http.Context;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps other sites out of a loopback API: a page elsewhere can make a browser send requests here,
 * also under a name of its own that it lets point to 127.0.0.1.
 *
 * <p>So Host must be a loopback name with our port, and an Origin must be ours.
 */
final class AccessGuard {
  private static final Pattern AUTHORITY =
      Pattern.compile("(localhost|127(?:\\.\\d{1,3}){3}|\\[::1])(?::(\\d{1,5}))?");

  private AccessGuard() {}

  /**
   * Lets a request pass or ends it.
   *
   * @throws ProblemException when it names another host or comes from another origin
   */
  static void check(Context request) {
    String host = request.header("Host");
    // The port of the connection: request.port() would only repeat what Host says.
    if (host == null || !ours(host, request.req().getLocalPort())) {
      throw new ProblemException(
          Problem.of(
              "wrong-host",
              421,
              "Not this host",
              "The API answers to 127.0.0.1, localhost and [::1] with its own port only"));
    }
    String origin = request.header("Origin");
    if (origin != null && !origin.toLowerCase(Locale.ROOT).equals("http://" + lower(host))) {
      throw new ProblemException(
          Problem.of(
              "foreign-origin",
              403,
              "Not from another origin",
              "Requests from pages of other origins are refused"));
    }
  }

  private static boolean ours(String host, int port) {
    Matcher authority = AUTHORITY.matcher(lower(host));
    if (!authority.matches()) {
      return false;
    }
    String given = authority.group(2);
    return (given == null ? 80 : Integer.parseInt(given)) == port;
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
