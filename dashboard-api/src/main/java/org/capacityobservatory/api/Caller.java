package org.capacityobservatory.api;

import org.jspecify.annotations.Nullable;

/**
 * Who asks.
 *
 * @param token the token's name; null where none is defined, and everyone here is a viewer
 */
record Caller(Role role, @Nullable String token) {
  static final Caller ANYONE = new Caller(Role.VIEWER, null);

  boolean seesPersonalData() {
    return role.reaches(Role.OPERATOR);
  }

  /** The name for logs and rows. */
  String name() {
    return token == null ? "anyone" : token;
  }
}
