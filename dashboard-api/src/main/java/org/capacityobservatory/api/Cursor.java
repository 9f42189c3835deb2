package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a page of rows ended: the next one starts behind it, whatever is inserted meanwhile.
 *
 * @param timeMs the last row's time, epoch ms
 * @param id its event id
 */
record Cursor(long timeMs, UUID id) {
  // 1970 to 2105, as every time of a request.
  private static final long MAX_TIME_MS = 4_291_747_200_000L;

  /** The cursor as text that callers only hand back. */
  String text() {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString((timeMs + "/" + id).getBytes(UTF_8));
  }

  /** Reads the parameter {@code cursor}; null when there is none. */
  static @Nullable Cursor of(Parameters parameters) {
    String text = parameters.one("cursor");
    if (text == null) {
      return null;
    }
    Cursor cursor = parse(text);
    if (cursor == null) {
      parameters.error(
          "cursor", "it is none of ours", "take next_cursor of an answer, or leave it out");
    }
    return cursor;
  }

  private static @Nullable Cursor parse(String text) {
    try {
      String[] parts = new String(Base64.getUrlDecoder().decode(text), UTF_8).split("/", -1);
      if (parts.length != 2) {
        return null;
      }
      Cursor cursor = new Cursor(Long.parseLong(parts[0]), UUID.fromString(parts[1]));
      boolean ours =
          cursor.timeMs >= 0 && cursor.timeMs <= MAX_TIME_MS && cursor.text().equals(text);
      return ours ? cursor : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
