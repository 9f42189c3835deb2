package org.capacityobservatory.cli;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of some log files.
 *
 * @param calls gated calls
 * @param decisions calls by decision
 * @param scopes calls by the lane reported; calls that reported none are left out
 * @param tiers calls by tier
 * @param withoutTier calls whose line named no tier
 * @param heldMs from acquire to release; null when no call had it
 * @param queueMs load balancer to view, high by 0 to 999 ms; null when no call had it
 * @param lines what became of the files' lines
 * @param configChanges lines that tell a change of the limiter's config
 * @param untimed calls whose line had no envelope, and so no time of its own
 * @param firstAt when the first timed call ended
 * @param lastAt when the last timed call ended
 * @param unread files that couldn't be read whole, and why: the numbers are not theirs
 */
record Summary(
    long calls,
    Map<String, Long> decisions,
    Map<String, Long> scopes,
    Map<String, TierCount> tiers,
    TierCount withoutTier,
    @Nullable Percentiles heldMs,
    @Nullable Percentiles queueMs,
    LineCount lines,
    long configChanges,
    long untimed,
    @Nullable Instant firstAt,
    @Nullable Instant lastAt,
    Map<String, String> unread) {

  /**
   * Calls of a tier.
   *
   * @param refused shadow-refused and refused
   */
  record TierCount(long calls, long refused) {
    TierCount plus(long more, boolean areRefused) {
      return new TierCount(calls + more, refused + (areRefused ? more : 0));
    }
  }

  /**
   * Nearest-rank percentiles.
   *
   * @param n how many values they are of
   */
  record Percentiles(long n, long p50, long p95, long p99) {}

  /**
   * What became of lines.
   *
   * @param dead lines that should have been the limiter's and couldn't be read
   * @param droppedAtSource lines that the API's own sink dropped before anyone could read them
   */
  record LineCount(long read, long notOurs, long dead, long droppedAtSource) {}
}
