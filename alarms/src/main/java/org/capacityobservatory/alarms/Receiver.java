package org.capacityobservatory.alarms;

import java.time.Instant;
import java.util.List;

/** Someone who is told of alarms. */
public interface Receiver extends AutoCloseable {
  /** Its name in the settings, the tables and the metrics. */
  String name();

  /**
   * Tells it; returns only when it has said that it took the notice. The same notice may come
   * again.
   *
   * @throws DeliveryException when it didn't, saying whether and when to try again
   */
  void deliver(Notice notice) throws DeliveryException;

  /**
   * Says again what fires, to a receiver that forgets what it isn't reminded of. Does nothing
   * unless overridden.
   *
   * @param firing the alarms that fire and that were told
   * @param now wall clock
   */
  default void remind(List<Transition> firing, Instant now) throws DeliveryException {}

  @Override
  default void close() {}
}
