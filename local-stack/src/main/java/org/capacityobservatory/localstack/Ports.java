package org.capacityobservatory.localstack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Ports on loopback. */
final class Ports {
  private Ports() {}

  /** A port that was free a moment ago; another process may take it before it is used. */
  static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new LocalStackException("No free port on loopback: " + e.getMessage(), e);
    }
  }

  /** Whether a server could listen there now. */
  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      // Connections of a server that just ended linger; they don't make its port taken.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  static String inUse(String server, int port) {
    return "Port "
        + port
        + " on 127.0.0.1 is in use, so "
        + server
        + " can't listen there: stop what uses it, or give another port (0 takes any free one).";
  }
}
