package org.capacityobservatory.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.capacityobservatory.shipper.PrivacyConfig;
import org.capacityobservatory.shipper.UserIdKey;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What of a line doesn't leave the host. */
final class PrivacyOptions {
  static final String KEY_VARIABLE = "CAPACITY_USER_ID_KEY";

  @Option(
      names = "--user-id-key-file",
      paramLabel = "FILE",
      description =
          "Ship pseudonyms instead of user ids, made with the key in FILE: at least 32 bytes, the"
              + " same on all hosts (or env "
              + KEY_VARIABLE
              + ").")
  private @Nullable Path keyFile;

  @Option(
      names = "--redact",
      paramLabel = "KEY",
      split = ",",
      description =
          "Keys whose values don't leave the host: changed_by, note, error, cid (separated by"
              + " commas).")
  private List<String> redacted = List.of();

  /** The config; a key that can't be used becomes a problem, which doesn't tell it. */
  PrivacyConfig config(Map<String, String> env, List<String> problems) {
    UserIdKey key = null;
    try {
      key = key(env);
    } catch (IllegalArgumentException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    return new PrivacyConfig(key, new HashSet<>(redacted));
  }

  private @Nullable UserIdKey key(Map<String, String> env) {
    String inEnv = env.get(KEY_VARIABLE);
    if (keyFile != null && inEnv != null) {
      throw new IllegalArgumentException(
          "The user-id key is given twice, by --user-id-key-file and env "
              + KEY_VARIABLE
              + ": choose one");
    }
    if (keyFile != null) {
      return UserIdKey.read(keyFile);
    }
    return inEnv == null ? null : UserIdKey.of(inEnv.getBytes(UTF_8), "env " + KEY_VARIABLE);
  }
}
