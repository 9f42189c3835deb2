package org.capacityobservatory.api;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who asks, and how a browser shows its token. */
final class SessionResource {
  /** Guesses can't reach 256 bits; this only keeps them from costing anything. */
  private static final double TRIES_PER_SECOND = 0.5;

  private static final double TRIES = 10;

  private final Tokens tokens;
  private final Sessions sessions;
  private final boolean stateWritable;
  private final boolean behindTls;
  private final InstantSource clock;
  private final Throttle tries = new Throttle(TRIES_PER_SECOND, TRIES, 10, System::nanoTime);

  SessionResource(
      Tokens tokens,
      Sessions sessions,
      boolean stateWritable,
      boolean behindTls,
      InstantSource clock) {
    this.tokens = tokens;
    this.sessions = sessions;
    this.stateWritable = stateWritable;
    this.behindTls = behindTls;
    this.clock = clock;
  }

  /** The caller. */
  record Me(
      String role,
      @Nullable String token,
      boolean tokensDefined,
      boolean personalData,
      List<String> may,
      boolean stateWritable) {}

  Me me(Ask ask) {
    ask.parameters().check();
    return me(ask.caller());
  }

  private Me me(Caller caller) {
    return new Me(
        caller.role().word(),
        caller.token(),
        tokens.defined(),
        caller.seesPersonalData(),
        caller.role().may(),
        stateWritable);
  }

  Reply logIn(Ask ask) {
    Body body = new Body(ask, List.of("token"));
    String token = body.text("token", 1, 200);
    ask.parameters().check();
    if (!tries.begin("login")) {
      throw new ProblemException(
          Problem.of("too-many-requests", 429, "Too many tries", "Wait a few seconds"));
    }
    tries.end("login");
    Caller caller = tokens.find(token);
    if (caller == null) {
      throw new ProblemException(
          Problem.of(
              "no-token",
              401,
              "Not a token of this API",
              "Check it for missing characters; it may have been revoked"));
    }
    String id = sessions.open(token, clock.instant());
    return Reply.json(200, me(caller), Map.of("Set-Cookie", cookie(id, Sessions.LIFE.toSeconds())));
  }

  Reply logOut(Ask ask) {
    ask.parameters().check();
    String session = ask.session();
    if (session != null) {
      sessions.close(session);
    }
    return Reply.nothing(Map.of("Set-Cookie", cookie("", 0)));
  }

  private String cookie(String id, long seconds) {
    return Sessions.COOKIE
        + "="
        + id
        + "; Path=/; HttpOnly; SameSite=Strict; Max-Age="
        + seconds
        + (behindTls ? "; Secure" : "");
  }
}
