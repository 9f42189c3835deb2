package org.capacityobservatory.alarms;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A receiver didn't take a notice. */
public final class DeliveryException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean lasting;
  private final transient @Nullable Duration retryAfter;

  private DeliveryException(
      String message, @Nullable Throwable cause, boolean lasting, @Nullable Duration retryAfter) {
    super(message, cause);
    this.lasting = lasting;
    this.retryAfter = retryAfter;
  }

  /** It may take it later. */
  public static DeliveryException passing(String message, @Nullable Throwable cause) {
    return new DeliveryException(message, cause, false, null);
  }

  /** It said when to come again. */
  public static DeliveryException after(Duration wait, String message) {
    return new DeliveryException(message, null, false, wait);
  }

  /** It will never take it. */
  public static DeliveryException lasting(String message) {
    return new DeliveryException(message, null, true, null);
  }

  /** Whether trying again is of no use. */
  public boolean isLasting() {
    return lasting;
  }

  /** How long it asked to be left alone; null when it didn't. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
