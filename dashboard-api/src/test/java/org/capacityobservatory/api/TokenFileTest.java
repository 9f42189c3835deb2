package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-30T10:00:00Z"));

  @TempDir private Path directory;

  @Test
  void keepsHashesOnlyAndForItsOwnerOnly() throws IOException {
    TokenFile file = new TokenFile(directory.resolve("data/tokens.json"));

    String token = file.create("on-call", Role.OPERATOR, CLOCK);

    assertThat(token).matches("cap_[A-Za-z0-9_-]{43}");
    assertThat(Files.readString(file.path(), UTF_8)).doesNotContain(token.substring(4));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
        .isEqualTo("rw-------");
    assertThat(file.list())
        .containsExactly(
            new TokenFile.Entry(
                "on-call", Role.OPERATOR, TokenFile.sha256(token), CLOCK.instant()));
    // SHA-256 of the three letters, from the standard's own example.
    assertThat(TokenFile.sha256("abc"))
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @Test
  void aNameIsTakenOnceAndRevokedOnce() throws IOException {
    TokenFile file = new TokenFile(directory.resolve("tokens.json"));
    file.create("a", Role.VIEWER, CLOCK);
    assertThatThrownBy(() -> file.create("a", Role.ADMIN, CLOCK))
        .hasMessageContaining("There is a token 'a'");
    assertThatThrownBy(() -> file.create("no name", Role.ADMIN, CLOCK))
        .hasMessageContaining("is no name of a token");

    file.revoke("a");

    assertThat(file.list()).isEmpty();
    assertThatThrownBy(() -> file.revoke("a")).hasMessageContaining("There is no token 'a'");
  }

  @Test
  void aRunningApiNoticesChangesAndLetsNobodyInWhenItCantReadThem() throws IOException {
    TokenFile file = new TokenFile(directory.resolve("tokens.json"));
    Tokens known = new Tokens(file.path());
    assertThat(known.defined()).isFalse();

    String token = file.create("a", Role.ADMIN, CLOCK);

    assertThat(known.defined()).isTrue();
    assertThat(known.find(token)).isEqualTo(new Caller(Role.ADMIN, "a"));
    assertThat(known.find(token + "x")).isNull();

    Files.writeString(file.path(), "nonsense", UTF_8);

    assertThat(known.defined()).isTrue();
    assertThat(known.find(token)).isNull();
    assertThatThrownBy(file::list).hasMessageContaining("is no file of tokens");

    Files.delete(file.path());

    assertThat(known.defined()).as("gone is not revoked").isTrue();
    file.create("b", Role.ADMIN, CLOCK);
    file.revoke("b");
    assertThat(known.defined()).isFalse();
  }
}
