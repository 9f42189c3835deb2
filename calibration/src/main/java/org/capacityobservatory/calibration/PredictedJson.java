package org.capacityobservatory.calibration;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@code capacity calibrate --format json} wrote, read by dotted paths. */
final class PredictedJson {
  private final Map<String, Object> tree;

  private PredictedJson(Map<String, Object> tree) {
    this.tree = tree;
  }

  /**
   * Reads it.
   *
   * @throws InvalidConfigException when the text is no prediction
   */
  static PredictedJson parse(String json) {
    Map<String, Object> tree = ConfigText.tree(json);
    if (!(tree.get("predicted") instanceof Map)) {
      throw new InvalidConfigException(
          List.of("no prediction: give the JSON that capacity calibrate --format json wrote"));
    }
    return new PredictedJson(tree);
  }

  /** The figure at a path; {@link Estimate#NOTHING} where there is none. */
  Estimate figure(String path) {
    return at(path) instanceof Map<?, ?> map ? estimate(map) : Estimate.NOTHING;
  }

  /** A figure of the whole, whose name has dots in it. */
  Estimate whole(String name) {
    return at("whole") instanceof Map<?, ?> whole && whole.get(name) instanceof Map<?, ?> map
        ? estimate(map)
        : Estimate.NOTHING;
  }

  /** The number at a path; NaN where there is none. */
  double number(String path) {
    return at(path) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  /** What stands at a path; null where nothing does. A path's parts hold no dots. */
  @Nullable Object at(String path) {
    Object now = tree;
    for (String part : path.split("\\.", -1)) {
      now = now instanceof Map<?, ?> map ? map.get(part) : null;
    }
    return now;
  }

  private static Estimate estimate(Map<?, ?> map) {
    return map.get("value") instanceof Number value
            && map.get("low") instanceof Number low
            && map.get("high") instanceof Number high
        ? new Estimate(value.doubleValue(), low.doubleValue(), high.doubleValue())
        : Estimate.NOTHING;
  }
}
