package org.capacityobservatory.calibration;

import java.util.Arrays;

/**
 * Pending events by time, then by the order in which they were pushed; no object per event.
 *
 * <p>A heap of four children a node: half the levels of a binary one, and a node's children share a
 * cache line. Each event is two longs: its time, and serial number, kind and index packed.
 */
final class EventHeap {
  private static final int INDEX_BITS = 28;
  private static final int KIND_BITS = 3;
  private static final int SHIFT = INDEX_BITS + KIND_BITS;
  static final int MAX_INDEX = (1 << INDEX_BITS) - 1;

  private long[] time = new long[256];
  private long[] data = new long[256];
  private int size;
  private long serial;

  void clear() {
    size = 0;
    serial = 0;
  }

  boolean isEmpty() {
    return size == 0;
  }

  long topTime() {
    return size == 0 ? Long.MAX_VALUE : time[0];
  }

  int topKind() {
    return (int) (data[0] >>> INDEX_BITS) & ((1 << KIND_BITS) - 1);
  }

  int topIndex() {
    return (int) data[0] & MAX_INDEX;
  }

  void push(long at, int kind, int index) {
    if (size == time.length) {
      time = Arrays.copyOf(time, 2 * size);
      data = Arrays.copyOf(data, 2 * size);
    }
    long packed = (serial++ << SHIFT) | ((long) kind << INDEX_BITS) | index;
    int i = size++;
    while (i > 0) {
      int parent = (i - 1) >> 2;
      if (!isBefore(at, packed, time[parent], data[parent])) {
        break;
      }
      time[i] = time[parent];
      data[i] = data[parent];
      i = parent;
    }
    time[i] = at;
    data[i] = packed;
  }

  void pop() {
    size--;
    if (size == 0) {
      return;
    }
    long at = time[size];
    long packed = data[size];
    int i = 0;
    while (true) {
      int child = (i << 2) + 1;
      if (child >= size) {
        break;
      }
      int last = Math.min(child + 4, size);
      int least = child;
      for (int c = child + 1; c < last; c++) {
        if (isBefore(time[c], data[c], time[least], data[least])) {
          least = c;
        }
      }
      if (!isBefore(time[least], data[least], at, packed)) {
        break;
      }
      time[i] = time[least];
      data[i] = data[least];
      i = least;
    }
    time[i] = at;
    data[i] = packed;
  }

  private static boolean isBefore(long timeA, long dataA, long timeB, long dataB) {
    return timeA < timeB || (timeA == timeB && dataA < dataB);
  }
}
