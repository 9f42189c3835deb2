package org.capacityobservatory.shipper;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What of a line doesn't leave the host; docs/privacy.md has the rules.
 *
 * @param userIdKey makes {@code user_id} a pseudonym; null leaves it as it is
 * @param redacted keys whose values are replaced by {@code "[redacted]"}, of {@link #REDACTABLE}
 */
public record PrivacyConfig(@Nullable UserIdKey userIdKey, Set<String> redacted) {
  /** Keys that may be redacted: names, notes and free text. */
  public static final Set<String> REDACTABLE = Set.of("changed_by", "note", "error", "cid");

  /** Everything leaves as it was written. */
  public static final PrivacyConfig NONE = new PrivacyConfig(null, Set.of());

  /** Copies the keys. */
  public PrivacyConfig {
    redacted = Set.copyOf(redacted);
  }

  /** One sentence for each problem. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (String key : new TreeSet<>(redacted)) {
      if (!REDACTABLE.contains(key)) {
        problems.add(
            "redact can't take %s: choose of %s"
                .formatted(key, String.join(", ", new TreeSet<>(REDACTABLE))));
      }
    }
    return problems;
  }

  boolean isOn() {
    return userIdKey != null || !redacted.isEmpty();
  }
}
