package org.capacityobservatory.streams;

import java.util.function.BiConsumer;

/**
 * Keeps objects that are changed in place, over restarts.
 *
 * @param <K> what names a value
 * @param <V> what is kept
 */
interface ValueStore<K, V> {
  /** Gives out all that was restored; called first of all. */
  void load(BiConsumer<K, V> out);

  /** Notes that a value is new or has changed. */
  void changed(K key, V value);

  /** Forgets a value. */
  void delete(K key, V value);

  /** Keeps nothing: for what is made anew from rows, in one go. */
  static <K, V> ValueStore<K, V> none() {
    return new ValueStore<>() {
      @Override
      public void load(BiConsumer<K, V> out) {}

      @Override
      public void changed(K key, V value) {}

      @Override
      public void delete(K key, V value) {}
    };
  }
}
