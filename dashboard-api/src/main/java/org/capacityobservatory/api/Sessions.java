package org.capacityobservatory.api;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Browsers that showed a token: the cookie holds a random id, never the token. They are forgotten
 * when the API ends; then the browser asks for the token again.
 */
final class Sessions {
  static final String COOKIE = "capacity_session";
  static final Duration LIFE = Duration.ofHours(12);

  private static final int MOST = 1_000;
  private static final int ID_BYTES = 32;

  private final SecureRandom random = new SecureRandom();
  private final Map<String, Session> byId = new LinkedHashMap<>();

  private record Session(String tokenHash, Instant until) {}

  /** Opens a session of a token; the oldest gives way when there are too many. */
  synchronized String open(String token, Instant now) {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    byId.values().removeIf(session -> !now.isBefore(session.until()));
    Iterator<String> oldest = byId.keySet().iterator();
    while (byId.size() >= MOST && oldest.hasNext()) {
      oldest.next();
      oldest.remove();
    }
    byId.put(id, new Session(TokenFile.sha256(token), now.plus(LIFE)));
    return id;
  }

  /** The hash of the session's token; null when it is over or none of ours. */
  synchronized @Nullable String tokenHash(String id, Instant now) {
    Session session = byId.get(id);
    return session == null || !now.isBefore(session.until()) ? null : session.tokenHash();
  }

  synchronized void close(String id) {
    byId.remove(id);
  }
}
