package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {
  private static final Cursor CURSOR =
      new Cursor(1_796_034_600_123L, UUID.fromString("5f0c3a52-8d0e-5c52-9a52-2d5a1c2f7b10"));

  private static @Nullable Cursor read(String text) {
    Parameters parameters = new Parameters(Map.of("cursor", List.of(text)), List.of("cursor"));
    Cursor cursor = Cursor.of(parameters);
    parameters.check();
    return cursor;
  }

  @Test
  void comesBackAsItWas() {
    assertThat(read(CURSOR.text())).isEqualTo(CURSOR);
    assertThat(Cursor.of(new Parameters(Map.of(), List.of("cursor")))).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "1796034600123/5f0c3a52-8d0e-5c52-9a52-2d5a1c2f7b10",
        "-1/5f0c3a52-8d0e-5c52-9a52-2d5a1c2f7b10",
        "99999999999999/5f0c3a52-8d0e-5c52-9a52-2d5a1c2f7b10",
        "1/2/3",
        "1/5",
        "1/') OR 1=1 --"
      })
  void refusesWhatItDidNotGive(String text) {
    for (String sent :
        List.of(
            text, Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8)))) {
      if (!sent.equals(CURSOR.text())) {
        assertThat(catchThrowableOfType(ProblemException.class, () -> read(sent)))
            .as(sent)
            .isNotNull();
      }
    }
  }
}
