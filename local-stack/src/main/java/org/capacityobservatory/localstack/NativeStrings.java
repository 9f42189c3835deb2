package org.capacityobservatory.localstack;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Strings in native memory: an array of pointers and an array of their lengths. */
final class NativeStrings implements AutoCloseable {
  private final @Nullable Memory memory;
  private final int count;

  private NativeStrings(@Nullable Memory memory, int count) {
    this.memory = memory;
    this.count = count;
  }

  /** For C functions that take lengths; values may hold zero bytes. */
  static NativeStrings sized(Collection<String> strings) {
    return of(strings);
  }

  /** For C functions that take none: a zero byte inside would cut a string short. */
  static NativeStrings nulTerminated(Collection<String> strings) {
    for (String string : strings) {
      if (string.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("a zero byte in " + string.replace('\0', '?'));
      }
    }
    return of(strings);
  }

  private static NativeStrings of(Collection<String> strings) {
    if (strings.isEmpty()) {
      return new NativeStrings(null, 0);
    }
    byte[][] encoded =
        strings.stream().map(s -> s.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
    long head = (long) encoded.length * (Native.POINTER_SIZE + Native.SIZE_T_SIZE);
    long size = head;
    for (byte[] bytes : encoded) {
      size += bytes.length + 1;
    }
    Memory memory = new Memory(size);
    long at = head;
    for (int i = 0; i < encoded.length; i++) {
      byte[] bytes = encoded[i];
      memory.setPointer((long) i * Native.POINTER_SIZE, memory.share(at));
      memory.setLong(
          (long) encoded.length * Native.POINTER_SIZE + (long) i * Native.SIZE_T_SIZE,
          bytes.length);
      memory.write(at, bytes, 0, bytes.length);
      memory.setByte(at + bytes.length, (byte) 0);
      at += bytes.length + 1;
    }
    return new NativeStrings(memory, encoded.length);
  }

  @Nullable Pointer pointers() {
    return memory;
  }

  @Nullable Pointer lengths() {
    return memory == null ? null : memory.share((long) count * Native.POINTER_SIZE);
  }

  @Override
  public void close() {
    if (memory != null) {
      memory.close();
    }
  }
}
