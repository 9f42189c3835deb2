package org.capacityobservatory.cli;

import java.util.regex.Pattern;

/** Checks addresses before a client library tries them and complains in its own words. */
final class HostAndPort {
  private static final Pattern FORM =
      Pattern.compile("[^\\s,:/]+:\\d{1,5}|\\[[0-9a-fA-F:.]+]:\\d{1,5}");

  private HostAndPort() {}

  /**
   * Addresses as they came, once each is HOST:PORT.
   *
   * @throws UsageException naming the one that isn't
   */
  static String checkedList(String option, String addresses) {
    for (String address : addresses.split(",", -1)) {
      if (!FORM.matcher(address.strip()).matches() || portOf(address.strip()) > 65_535) {
        throw new UsageException(option + " '" + address + "': write HOST:PORT[,HOST:PORT…]");
      }
    }
    return addresses;
  }

  private static int portOf(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }
}
