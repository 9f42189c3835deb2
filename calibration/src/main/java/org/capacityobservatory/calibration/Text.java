package org.capacityobservatory.calibration;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Figures in words: few digits, no thousands separators, "–" where there is nothing. */
final class Text {
  private Text() {}

  static String number(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    if (value == Math.rint(value) && Math.abs(value) < 1e9) {
      return Long.toString((long) value);
    }
    return new BigDecimal(value, new MathContext(3)).stripTrailingZeros().toPlainString();
  }

  static String percent(double share) {
    return Double.isNaN(share) ? "–" : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  static String seconds(double seconds) {
    return Double.isNaN(seconds)
        ? "–"
        : String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
  }

  static String millis(double millis) {
    return Double.isNaN(millis) ? "–" : String.format(Locale.ROOT, "%.0f ms", millis);
  }
}
