package org.capacityobservatory.alarms;

import java.math.BigDecimal;
import java.math.MathContext;

/** Numbers as people read them. */
final class Numbers {
  private static final MathContext DIGITS = new MathContext(6);

  private Numbers() {}

  /** At most six significant digits, without an exponent. */
  static String plain(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return "no value";
    }
    BigDecimal number = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    return number.signum() == 0 ? "0" : number.toPlainString();
  }
}
