package org.capacityobservatory.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** This machine's name, under which a shipper keeps its positions unless it is told another. */
final class HostName {
  private HostName() {}

  static String get() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
