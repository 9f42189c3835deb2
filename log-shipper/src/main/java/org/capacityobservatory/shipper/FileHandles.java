package org.capacityobservatory.shipper;

import java.util.List;

/**
 * What the shipper holds open, and what it couldn't.
 *
 * @param open files held open
 * @param heldBytes bytes of those that no path leads to any more: disk space that stays taken until
 *     they are read to their end and committed
 * @param waiting files not opened for want of a handle; if one is removed before its turn, it is
 *     lost
 * @param atRisk the paths of the first of those
 * @param lostBytes at least so many bytes were gone before they could be read, since the start
 */
public record FileHandles(
    int open, long heldBytes, int waiting, List<String> atRisk, long lostBytes) {

  static final FileHandles NONE = new FileHandles(0, 0, 0, List.of(), 0);

  /** Makes the list immutable. */
  public FileHandles {
    atRisk = List.copyOf(atRisk);
  }
}
