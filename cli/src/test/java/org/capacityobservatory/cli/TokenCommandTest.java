package org.capacityobservatory.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import org.capacityobservatory.api.Role;
import org.capacityobservatory.api.TokenFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenCommandTest {
  @TempDir private Path directory;

  private record Outcome(int exitCode, String stdout) {}

  private Outcome run(String... arguments) {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, UTF_8));
    try {
      int exitCode = Main.run(arguments);
      return new Outcome(exitCode, out.toString(UTF_8));
    } finally {
      System.setOut(before);
    }
  }

  @Test
  void aTokenIsMadeListedAndRevoked() throws IOException {
    String data = directory.toString();

    Outcome made =
        run("token", "create", "--role", "operator", "--name", "on-call", "--data", data);

    assertThat(made.exitCode()).isZero();
    assertThat(made.stdout().strip()).matches("cap_[A-Za-z0-9_-]{43}");
    assertThat(new TokenFile(directory.resolve(TokenFile.NAME)).list())
        .singleElement()
        .satisfies(
            token -> {
              assertThat(token.name()).isEqualTo("on-call");
              assertThat(token.role()).isEqualTo(Role.OPERATOR);
            });
    assertThat(run("token", "list", "--data", data).stdout())
        .contains("on-call", "operator")
        .doesNotContain("cap_");
    assertThat(run("token", "revoke", "on-call", "--data", data).exitCode()).isZero();
    assertThat(run("token", "list", "--data", data).stdout()).isEmpty();
  }

  @Test
  void wrongUseIsExitCodeTwo() {
    String data = directory.toString();

    assertThat(run("token").exitCode()).isEqualTo(2);
    assertThat(run("token", "create", "--data", data).exitCode()).isEqualTo(2);
    assertThat(run("token", "create", "--role", "king", "--data", data).exitCode()).isEqualTo(2);
    assertThat(run("token", "revoke", "nobody", "--data", data).exitCode()).isEqualTo(2);
  }
}
