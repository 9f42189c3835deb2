package org.capacityobservatory.shipper;

/** What a line comes from: one file of a source, or one run of a source that is no file. */
interface Origin {
  String sourceName();

  /** The source's name in UTF-8. */
  byte[] nameText();

  /** Which file or run of the source. */
  long number();

  /** Makes the headers of its lines. */
  RecordHeaderMaker headers();
}
