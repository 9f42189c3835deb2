package org.capacityobservatory.shipper;

import org.capacityobservatory.log.EntryName;

/** Which entries of a feed are shipped: what the next run needs to go on exactly there. */
interface Ledger {
  /** Keeps nothing: a stream that can't be read again. */
  Ledger NONE =
      new Ledger() {
        @Override
        public boolean knows(EntryName name) {
          return false;
        }

        @Override
        public void began(EntryName name) {}

        @Override
        public void done(EntryName name) {}

        @Override
        public boolean isFull() {
          return false;
        }

        @Override
        public String resume() {
          return "";
        }

        @Override
        public String seen() {
          return "";
        }
      };

  /** Whether the entry was shipped by an earlier run. */
  boolean knows(EntryName name);

  /** The entry is a piece of a line that isn't whole yet. */
  void began(EntryName name);

  /** The line that the entry is, or is a piece of, has been given out. */
  void done(EntryName name);

  /** Whether no more entries may begin before the lines in pieces are given out. */
  boolean isFull();

  /** {@link FeedRecord#resume}. */
  String resume();

  /** {@link FeedRecord#seen}. */
  String seen();
}
