package org.capacityobservatory.metrics;

import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.capacityobservatory.log.CapacityCall;
import org.jspecify.annotations.Nullable;

/**
 * The tallies of all lanes for the calls of one minute, tier and task.
 *
 * <p>Lanes that this version doesn't know are counted under their own names, as far as {@link
 * Dimensions} lets them. Not safe for several threads.
 */
public final class LaneTallies {
  private static final Lane[] LANES = Lane.values();

  private final Map<Lane, LaneTally> known = new EnumMap<>(Lane.class);
  private @Nullable Map<String, LaneTally> others;

  /** Counts a call in the lanes that it passed and in those that it found full. */
  public void addCall(CapacityCall call, Dimensions dimensions) {
    for (Lane lane : LANES) {
      if (lane.isPassedBy(call)) {
        of(lane).addCall(lane.inFlight(call), lane.limit(call), dimensions.nearLimitShare());
      }
    }
    // A lane that is named twice was full once.
    List<String> full =
        call.full().size() < 2 ? call.full() : List.copyOf(new LinkedHashSet<>(call.full()));
    boolean alone = full.size() == 1;
    for (String word : full) {
      Lane lane = Lane.ofWord(word);
      if (lane == null) {
        LaneTally other = of(dimensions.unknownLane(word));
        other.addCall(null, null, dimensions.nearLimitShare());
        other.addFull(alone);
      } else {
        of(lane).addFull(alone);
      }
    }
  }

  /** Adds the time for which a call held its lanes within this minute. */
  public void addOccupancy(CapacityCall call, long ms) {
    for (Lane lane : LANES) {
      if (lane.isPassedBy(call)) {
        of(lane).addOccupancy(ms);
      }
    }
  }

  /** The tally of a lane by name, made when there is none yet. */
  public LaneTally of(String word) {
    Lane lane = Lane.ofWord(word);
    if (lane != null) {
      return of(lane);
    }
    if (others == null) {
      others = new TreeMap<>();
    }
    return others.computeIfAbsent(word, w -> new LaneTally());
  }

  /** Puts a tally as it was stored in a lane's place. */
  public void put(String word, LaneTally tally) {
    Lane lane = Lane.ofWord(word);
    if (lane != null) {
      known.put(lane, tally);
    } else {
      if (others == null) {
        others = new TreeMap<>();
      }
      others.put(word, tally);
    }
  }

  /** Visits each lane that has a tally, known ones first. */
  public void forEach(BiConsumer<String, LaneTally> visitor) {
    known.forEach((lane, tally) -> visitor.accept(lane.word(), tally));
    if (others != null) {
      others.forEach(visitor);
    }
  }

  private LaneTally of(Lane lane) {
    LaneTally tally = known.get(lane);
    if (tally == null) {
      tally = new LaneTally();
      known.put(lane, tally);
    }
    return tally;
  }
}
