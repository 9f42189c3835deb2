package org.capacityobservatory.shipper;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What of this shipper is committed.
 *
 * @param marked whether it has ever begun
 * @param files the newest record of each generation
 * @param feeds the newest record of each feed, by source
 */
record Positions(boolean marked, List<GenerationRecord> files, Map<String, FeedRecord> feeds) {
  static Positions of(boolean marked, Collection<PositionRecord> records) {
    List<GenerationRecord> files = new ArrayList<>();
    Map<String, FeedRecord> feeds = new HashMap<>();
    for (PositionRecord record : records) {
      if (record instanceof GenerationRecord file) {
        files.add(file);
      } else if (record instanceof FeedRecord feed) {
        feeds.put(feed.source(), feed);
      }
    }
    return new Positions(marked, files, feeds);
  }
}
