package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * What one receiver is to be told at once: alarms of one rule that began to fire or were resolved.
 *
 * @param receiver the receiver's name
 * @param rule the rule's name
 * @param alerts what happened, in order; at least one
 * @param createdAt wall clock
 */
public record Notice(String receiver, String rule, List<Transition> alerts, Instant createdAt) {
  /** Keeps its own copy. */
  public Notice {
    alerts = List.copyOf(alerts);
  }

  /** The same over all tries, and after a restart: a receiver can tell a repeat by it. */
  public UUID id() {
    String ids =
        alerts.stream().map(a -> a.id().toString()).collect(Collectors.joining("\n", "\n", ""));
    return UUID.nameUUIDFromBytes((receiver + ids).getBytes(UTF_8));
  }
}
