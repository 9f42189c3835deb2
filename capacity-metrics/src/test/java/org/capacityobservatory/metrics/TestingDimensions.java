package org.capacityobservatory.metrics;

import java.util.ArrayList;
import java.util.List;

/** Dimensions that write down what they say. */
final class TestingDimensions implements Dimensions.Listener {
  final List<String> unknown = new ArrayList<>();
  final List<String> overflowed = new ArrayList<>();

  static Dimensions silent() {
    return new Dimensions(MetricsConfig.DEFAULT, new TestingDimensions());
  }

  @Override
  public void unknown(String dimension, String value) {
    unknown.add(dimension + "=" + value);
  }

  @Override
  public void overflowed(String dimension, String value) {
    overflowed.add(dimension + "=" + value);
  }
}
