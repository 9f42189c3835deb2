package org.capacityobservatory.shipper;

import org.capacityobservatory.log.JudgedLine;

/** Where a source's lines go, within the transaction in hand. */
interface Outlet {
  /** Takes a line of ours. */
  void line(Origin from, JudgedLine line, long readAtMillis);

  /** Takes a line kept aside. */
  void deadLetter(Origin from, JudgedLine line, long readAtMillis);
}
