package org.capacityobservatory.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks, passwords and the engine's library: what is found on disk. */
class FilesTest {
  @TempDir Path directory;

  @Test
  void aLockIsHeldOnceAndCanBeTakenAgain() {
    DirectoryLock first = DirectoryLock.take(directory);
    assertThatThrownBy(() -> DirectoryLock.take(directory))
        .isInstanceOf(LocalStackException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("pid " + ProcessHandle.current().pid());
    first.close();
    DirectoryLock.take(directory).close();
  }

  @Test
  void aLockFileLeftByADeadProcessIsNoLock() throws Exception {
    Files.writeString(directory.resolve("owner.lock"), "1");
    DirectoryLock.take(directory).close();
  }

  @Test
  void passwordsAreMadeOnceAndKept() throws Exception {
    Credentials first = Credentials.loadOrCreate(directory);
    String password = Credentials.read(Credentials.file(directory, "reader"));
    assertThat(first.accept("reader", password)).isTrue();
    assertThat(Credentials.loadOrCreate(directory).accept("reader", password)).isTrue();
    assertThat(first.accept("default", password)).isFalse();
    assertThat(first.accept("reader", password + "x")).isFalse();
    assertThat(first.accept("nobody", "")).isFalse();
  }

  @Test
  void aPasswordOfOnesOwnIsTakenWithoutItsLineEnd() throws Exception {
    Credentials.loadOrCreate(directory);
    Files.writeString(Credentials.file(directory, "default"), "my own\n");
    assertThat(Credentials.loadOrCreate(directory).accept("default", "my own")).isTrue();
  }

  @Test
  void aPasswordFileThatOthersCanReadOrThatIsEmptyIsRefused() throws Exception {
    Credentials.loadOrCreate(directory);
    Path file = Credentials.file(directory, "default");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> Credentials.loadOrCreate(directory))
        .isInstanceOf(LocalStackException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("chmod 600");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(file, "\n");
    assertThatThrownBy(() -> Credentials.loadOrCreate(directory))
        .isInstanceOf(LocalStackException.class)
        .hasMessageContaining("is empty");
  }

  @Test
  void theEngineIsFoundByVariableOrFromTheJarsPlace() throws Exception {
    Path named = Files.writeString(directory.resolve("some.so"), "");
    assertThat(EngineLibrary.find(Map.of(EngineLibrary.VARIABLE, named.toString()), null))
        .isEqualTo(named);

    Path root = Files.createDirectories(directory.resolve("checkout"));
    Path jar = root.resolve("cli/target/lib/local-stack.jar");
    assertThatThrownBy(() -> EngineLibrary.find(Map.of(), jar))
        .isInstanceOf(LocalStackException.class)
        .hasMessageContaining("npm ci")
        .hasMessageContaining(EngineLibrary.VARIABLE);
    assertThatThrownBy(
            () -> EngineLibrary.find(Map.of(EngineLibrary.VARIABLE, root + "/nothing"), jar))
        .hasMessageContaining("is not a file");

    Path packages = root.resolve("local-stack/engine/node_modules/@chdb");
    for (String platform :
        new String[] {"linux-x64-gnu", "linux-arm64-gnu", "darwin-x64", "darwin-arm64"}) {
      Files.createDirectories(packages.resolve("lib-" + platform));
      Files.writeString(packages.resolve("lib-" + platform).resolve("libchdb.so"), "");
    }
    assertThat(EngineLibrary.find(Map.of(), jar)).startsWith(packages);
    assertThat(EngineLibrary.find(Map.of(), root.resolve("local-stack/target/classes")))
        .startsWith(packages);
  }

  @Test
  void errorsOfTheEngineAreReadOnce() {
    EngineException nested =
        EngineException.parse("Code: 164. DB::Exception: Code: 164. DB::Exception: No. (READONLY)");
    assertThat(nested.code()).isEqualTo(164);
    assertThat(nested.getMessage()).isEqualTo("Code: 164. DB::Exception: No. (READONLY)");
    assertThat(nested.httpStatus()).isEqualTo(403);
    assertThat(EngineException.parse("odd").code()).isEqualTo(1002);
    assertThat(EngineException.parse("odd").getMessage())
        .isEqualTo("Code: 1002. DB::Exception: odd");
  }

  @Test
  void readyLinesAreReadAsKeysAndValues() {
    assertThat(ChildProcess.parseReady("READY port=1 url=http://x/?a=b"))
        .isEqualTo(Map.of("port", "1", "url", "http://x/?a=b"));
    assertThat(ChildProcess.parseReady("READY")).isEmpty();
  }
}
