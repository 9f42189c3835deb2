package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The groups of calls that figures are told for: all, and each value of each dimension. */
final class Groups {
  /** A dimension's name and a value of it; both empty for all calls. */
  record Key(String dimension, String value) {}

  static final Key ALL = new Key("", "");

  private final List<Key> keys = new ArrayList<>();
  private final Map<String, Integer> firstOfDimension = new LinkedHashMap<>();
  private final Demand.Names names;

  Groups(Demand.Names names) {
    this.names = names;
    keys.add(ALL);
    add("single_row", List.of("false", "true"));
    add("tier", names.tiers());
    add("endpoint", names.endpoints());
    add("user", names.userIds().stream().map(Groups::userName).toList());
    add("source", names.sources());
  }

  private static String userName(long id) {
    return id < 0 ? DemandReader.UNKNOWN : Long.toString(id);
  }

  private void add(String dimension, List<String> values) {
    firstOfDimension.put(dimension, keys.size());
    values.forEach(value -> keys.add(new Key(dimension, value)));
  }

  List<Key> keys() {
    return keys;
  }

  int index(Key key) {
    return keys.indexOf(key);
  }

  private int first(String dimension) {
    return firstOfDimension.getOrDefault(dimension, 0);
  }

  /** Per dimension, the group of each call of a demand with these names. */
  int[][] of(Demand demand) {
    if (!demand.names.equals(names)) {
      throw new IllegalArgumentException("The demand has other tiers, users or endpoints");
    }
    int[][] groups = new int[firstOfDimension.size()][demand.calls];
    for (int c = 0; c < demand.calls; c++) {
      groups[0][c] = first("single_row") + (demand.singleRow[c] ? 1 : 0);
      groups[1][c] = first("tier") + demand.tier[c];
      groups[2][c] = first("endpoint") + demand.endpoint[c];
      groups[3][c] = first("user") + demand.user[c];
      groups[4][c] = first("source") + demand.source[c];
    }
    return groups;
  }
}
