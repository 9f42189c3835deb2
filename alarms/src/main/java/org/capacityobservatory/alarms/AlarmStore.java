package org.capacityobservatory.alarms;

import java.util.Map;
import java.util.Optional;

/**
 * Where the evaluator keeps its state and its outbox: a map of texts, changed all or nothing by one
 * owner at a time.
 */
public interface AlarmStore extends AutoCloseable {
  /**
   * Everything that is kept, as of the last change that was committed.
   *
   * @throws AlarmStoreException when it can't be read, or another owner has taken over
   */
  Map<String, String> load();

  /**
   * Changes entries all at once; an empty value removes one.
   *
   * @throws AlarmStoreException when it isn't known whether the changes were taken: load again
   */
  void commit(Map<String, Optional<String>> changes);

  @Override
  void close();
}
