package org.capacityobservatory.shipper;

import org.capacityobservatory.log.JudgedLine;

/** Where the lines of a generation go, within the transaction in hand. */
interface Outlet {
  /** Takes a line of ours. */
  void line(Generation from, JudgedLine line, long readAtMillis);

  /** Takes a line kept aside. */
  void deadLetter(Generation from, JudgedLine line, long readAtMillis);
}
