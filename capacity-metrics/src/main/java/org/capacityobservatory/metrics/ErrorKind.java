package org.capacityobservatory.metrics;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kind of an {@code error}: what stands before its first colon, where that is short and plain.
 *
 * <p>The limiter writes an exception's name or a few words, a colon, and then what no counter may
 * be keyed by: host names, keys, times.
 */
final class ErrorKind {
  private static final Pattern HEAD = Pattern.compile("([A-Za-z][A-Za-z_. ]{0,39}):");

  private ErrorKind() {}

  static String of(String error) {
    Matcher head = HEAD.matcher(error);
    return head.lookingAt() ? head.group(1) : Dimensions.OTHER;
  }
}
