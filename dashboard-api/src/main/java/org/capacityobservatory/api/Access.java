package org.capacityobservatory.api;

import io.javalin.http.Context;
import java.net.URI;
import java.time.InstantSource;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The one place that a request passes: whether it means this host, comes from our own page, and who
 * asks.
 *
 * <p>A page elsewhere can make a browser send requests here, also under a name of its own that it
 * lets point to 127.0.0.1. So Host must be a loopback name with our port, or the authority that the
 * proxy in front of us has; and an Origin must be ours. Once a token is defined, each request needs
 * one: as a bearer's, or by a session that was opened with it.
 */
final class Access {
  private static final Pattern AUTHORITY =
      Pattern.compile("(localhost|127(?:\\.\\d{1,3}){3}|\\[::1])(?::(\\d{1,5}))?");
  private static final Pattern BEARER = Pattern.compile("(?i:Bearer) +([A-Za-z0-9._~+/=-]{1,200})");

  private final Tokens tokens;
  private final Sessions sessions;
  private final InstantSource clock;
  private final @Nullable String publicAuthority;
  private final @Nullable String publicOrigin;
  private final boolean alwaysNeedsToken;

  Access(ApiConfig config, Tokens tokens, Sessions sessions, InstantSource clock) {
    this.tokens = tokens;
    this.sessions = sessions;
    this.clock = clock;
    URI behind = config.publicUrl();
    this.publicAuthority = behind == null ? null : lower(behind.getAuthority());
    this.publicOrigin = behind == null ? null : "https://" + lower(behind.getAuthority());
    this.alwaysNeedsToken = !config.onLoopback();
  }

  /**
   * Lets a request pass or ends it, whoever asks.
   *
   * @throws ProblemException when it names another host or comes from another origin
   */
  void checkPlace(Context request) {
    String host = request.header("Host");
    // The port of the connection: request.port() would only repeat what Host says.
    if (host == null || !ours(host, request.req().getLocalPort())) {
      throw new ProblemException(
          Problem.of(
              "wrong-host",
              421,
              "Not this host",
              "The API answers to 127.0.0.1, localhost and [::1] with its own port, and to the"
                  + " address of the proxy that it was told of"));
    }
    String origin = request.header("Origin");
    if (origin != null && !ownOrigin(origin, host)) {
      throw foreignOrigin("Requests from pages of other origins are refused");
    }
  }

  private static ProblemException foreignOrigin(String detail) {
    return new ProblemException(
        Problem.of("foreign-origin", 403, "Not from another origin", detail));
  }

  private boolean ownOrigin(String origin, String host) {
    String given = lower(origin);
    return lower(host).equals(publicAuthority)
        ? given.equals(publicOrigin)
        : given.equals("http://" + lower(host));
  }

  /**
   * Who asks.
   *
   * @param needed the least role; null lets everyone pass
   * @throws ProblemException without a valid token where one is needed, or with too small a role
   */
  Caller check(Context request, @Nullable Role needed) {
    Caller caller = callerOf(request);
    if (needed == null) {
      return caller == null ? Caller.ANYONE : caller;
    }
    if (caller == null) {
      throw new ProblemException(
          Problem.of(
              "no-token",
              401,
              "A token is needed",
              "Send Authorization: Bearer TOKEN, or open a session with POST /api/v1/session; an"
                  + " operator of this API makes tokens with capacity token create"));
    }
    if (!caller.role().reaches(needed)) {
      throw new ProblemException(
          Problem.of(
              "role",
              403,
              "Not for this role",
              "This needs the role "
                  + needed.word()
                  + " and "
                  + (caller.token() == null
                      ? "without a token everyone is a viewer: capacity token create makes one"
                      : "the token " + caller.token() + " has the role " + caller.role().word())));
    }
    return caller;
  }

  private @Nullable Caller callerOf(Context request) {
    if (!tokens.defined() && !alwaysNeedsToken) {
      return Caller.ANYONE;
    }
    String header = request.header("Authorization");
    if (header != null) {
      Matcher bearer = BEARER.matcher(header);
      return bearer.matches() ? tokens.find(bearer.group(1)) : null;
    }
    String session = request.cookie(Sessions.COOKIE);
    String hash = session == null ? null : sessions.tokenHash(session, clock.instant());
    if (hash == null) {
      return null;
    }
    // A browser says where a change comes from; what doesn't say it is no page of ours.
    if (!request.method().name().equals("GET") && request.header("Origin") == null) {
      throw foreignOrigin("A change by a browser's session needs the header Origin");
    }
    return tokens.ofHash(hash);
  }

  private boolean ours(String host, int port) {
    String given = lower(host);
    if (given.equals(publicAuthority)) {
      return true;
    }
    Matcher authority = AUTHORITY.matcher(given);
    if (!authority.matches()) {
      return false;
    }
    String named = authority.group(2);
    return (named == null ? 80 : Integer.parseInt(named)) == port;
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
