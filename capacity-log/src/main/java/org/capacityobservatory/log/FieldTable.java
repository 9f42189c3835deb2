package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The known keys of one event, found by text or by bytes; each has a bit, by which a second one is
 * noticed.
 *
 * @param <D> the draft that its fields fill
 */
final class FieldTable<D> {
  private static final int SLOTS = 256;

  private final Map<String, Entry<D>> byText = new HashMap<>();
  private final @Nullable Entry<D>[] bySlot = newSlots();

  /** Reads the value of one known key into a draft. */
  interface Field<D> {
    void read(D draft, Value value) throws IOException, LineException;
  }

  /** The value of one key, read as the type that its field asks for; another type is a misfit. */
  interface Value {
    /** Text; null for a misfit. */
    @Nullable String text() throws IOException;

    /** True or false; null for a misfit. */
    @Nullable Boolean flag() throws IOException;

    /**
     * A whole number; null for a misfit.
     *
     * @throws LineException when it isn't within 0 to a bound: such a number can't be meant
     */
    @Nullable Long number(long max) throws IOException, LineException;

    /** A list of texts; empty for a misfit. */
    List<String> texts() throws IOException;

    /** A JSON object, verbatim; the empty one for a misfit. */
    String object() throws IOException;
  }

  /** One known key. */
  static final class Entry<D> {
    private final byte[] key;
    private final long bit;
    private final Field<D> field;

    private Entry(byte[] key, long bit, Field<D> field) {
      this.key = key;
      this.bit = bit;
      this.field = field;
    }

    long bit() {
      return bit;
    }

    Field<D> field() {
      return field;
    }
  }

  FieldTable<D> with(String key, Field<D> field) {
    Entry<D> entry = new Entry<>(key.getBytes(US_ASCII), 1L << byText.size(), field);
    byText.put(key, entry);
    int slot = Ascii.hash(entry.key, 0, entry.key.length) & (SLOTS - 1);
    while (bySlot[slot] != null) {
      slot = (slot + 1) & (SLOTS - 1);
    }
    bySlot[slot] = entry;
    return this;
  }

  @Nullable Entry<D> get(String key) {
    return byText.get(key);
  }

  @Nullable Entry<D> get(byte[] b, int from, int to, int hash) {
    int slot = hash & (SLOTS - 1);
    for (Entry<D> entry = bySlot[slot]; entry != null; entry = bySlot[slot]) {
      if (Arrays.equals(entry.key, 0, entry.key.length, b, from, to)) {
        return entry;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    return null;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <D> @Nullable Entry<D>[] newSlots() {
    return new Entry[SLOTS];
  }
}
