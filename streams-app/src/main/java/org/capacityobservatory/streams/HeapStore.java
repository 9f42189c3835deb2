package org.capacityobservatory.streams;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;

/**
 * A store whose values live as objects and are written, with a changelog, once per commit.
 *
 * <p>Streams' own cache keeps values as bytes: each line would read and write the bytes of every
 * cell that it touches. Here its processor changes objects in place, says which, and each is
 * written at the next commit, inside the commit's transaction. The hook for that is the one by
 * which Streams writes its own caches, {@link CachedStateStore#flushCache}: an internal interface,
 * held by tests that restart the job.
 */
final class HeapStore<K, V extends HeapStore.Held>
    implements ValueStore<K, V>, StateStore, CachedStateStore<byte[], byte[]> {
  private final KeyValueStore<K, V> saved;
  private final List<Map.Entry<K, V>> unsaved = new ArrayList<>();

  /** A value that knows whether its store has its present state. */
  abstract static class Held {
    private boolean unsaved;
    private boolean deleted;
  }

  private HeapStore(KeyValueStore<K, V> saved) {
    this.saved = saved;
  }

  static <K, V extends Held> StoreBuilder<HeapStore<K, V>> builder(
      String name, Serde<K> keys, Serde<V> values) {
    return new Builder<>(
        Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(name), keys, values));
  }

  @Override
  public void load(BiConsumer<K, V> out) {
    unsaved.clear();
    try (KeyValueIterator<K, V> all = saved.all()) {
      all.forEachRemaining(entry -> out.accept(entry.key, entry.value));
    }
  }

  @Override
  public void changed(K key, V value) {
    Held held = value;
    if (!held.unsaved) {
      held.unsaved = true;
      unsaved.add(Map.entry(key, value));
    }
  }

  @Override
  public void delete(K key, V value) {
    ((Held) value).deleted = true;
    saved.delete(key);
  }

  @Override
  public void flushCache() {
    for (Map.Entry<K, V> entry : unsaved) {
      Held held = entry.getValue();
      held.unsaved = false;
      if (!held.deleted) {
        saved.put(entry.getKey(), entry.getValue());
      }
    }
    unsaved.clear();
  }

  @Override
  public void clearCache() {
    unsaved.clear();
  }

  @Override
  public boolean setFlushListener(
      CacheFlushListener<byte[], byte[]> listener, boolean sendOldValues) {
    return false;
  }

  @Override
  public String name() {
    return saved.name();
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    // As the root this store is the one that Streams flushes.
    saved.init(context, root);
  }

  @Override
  public void commit(Map<TopicPartition, Long> changelogOffsets) {
    saved.commit(changelogOffsets);
  }

  @Override
  public void close() {
    unsaved.clear();
    saved.close();
  }

  @Override
  public boolean persistent() {
    return saved.persistent();
  }

  @Override
  public boolean isOpen() {
    return saved.isOpen();
  }

  @Override
  public Position getPosition() {
    return saved.getPosition();
  }

  private static final class Builder<K, V extends Held> implements StoreBuilder<HeapStore<K, V>> {
    private StoreBuilder<KeyValueStore<K, V>> saved;

    Builder(StoreBuilder<KeyValueStore<K, V>> saved) {
      this.saved = saved;
    }

    @Override
    public HeapStore<K, V> build() {
      return new HeapStore<>(saved.build());
    }

    @Override
    public StoreBuilder<HeapStore<K, V>> withCachingEnabled() {
      return this;
    }

    @Override
    public StoreBuilder<HeapStore<K, V>> withCachingDisabled() {
      return this;
    }

    @Override
    public StoreBuilder<HeapStore<K, V>> withLoggingEnabled(Map<String, String> config) {
      saved = saved.withLoggingEnabled(config);
      return this;
    }

    @Override
    public StoreBuilder<HeapStore<K, V>> withLoggingDisabled() {
      saved = saved.withLoggingDisabled();
      return this;
    }

    @Override
    public Map<String, String> logConfig() {
      return saved.logConfig();
    }

    @Override
    public boolean loggingEnabled() {
      return saved.loggingEnabled();
    }

    @Override
    public String name() {
      return saved.name();
    }
  }
}
