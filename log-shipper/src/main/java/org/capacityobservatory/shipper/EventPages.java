package org.capacityobservatory.shipper;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A log group's events, page by page. */
interface EventPages extends AutoCloseable {
  /**
   * Some events.
   *
   * @param nextToken what to ask with for the next page, or null where this is the last one
   */
  record Page(List<CloudWatchEvent> events, @Nullable String nextToken) {}

  /** Why there is no page. */
  final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    enum Kind {
      /** Another try, later, may do. */
      TRY_LATER,
      /** The token isn't taken, or not any more. */
      TOKEN,
      /** Somebody has to do something about it. */
      LASTING
    }

    private final Kind kind;

    Refusal(Kind kind, String sentence, Throwable cause) {
      super(sentence, cause);
      this.kind = kind;
    }

    Kind kind() {
      return kind;
    }
  }

  /**
   * Asks for a page, and waits for it.
   *
   * @param fromMillis the earliest time of an event, epoch ms; the same for all pages of a sweep
   * @param token {@link Page#nextToken} of the page before, or null for the first
   */
  Page page(long fromMillis, @Nullable String token) throws Refusal;

  @Override
  void close();
}
