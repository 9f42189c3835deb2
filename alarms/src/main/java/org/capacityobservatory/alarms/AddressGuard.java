package org.capacityobservatory.alarms;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.hc.client5.http.DnsResolver;

/**
 * The addresses that a receiver's connections may go to. A name is looked up once for a connection,
 * what it says is checked, and the connection goes to just that: a name that says something else
 * the next time changes nothing.
 *
 * <p>Private are, unless allowed: loopback, link-local (cloud metadata among them), site-local and
 * unique local, shared (100.64/10), benchmark, multicast, reserved and unspecified addresses, also
 * where they stand inside an IPv6 one (mapped, compatible, 6to4, NAT64).
 */
final class AddressGuard implements DnsResolver {
  /** How names are looked up. */
  interface Lookup {
    InetAddress[] all(String host) throws UnknownHostException;
  }

  private final boolean privateAllowed;
  private final Lookup lookup;

  AddressGuard(boolean privateAllowed, Lookup lookup) {
    this.privateAllowed = privateAllowed;
    this.lookup = lookup;
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    InetAddress[] found = lookup.all(host);
    if (!privateAllowed) {
      for (InetAddress address : found) {
        if (isPrivate(address)) {
          throw new UnknownHostException(
              host
                  + " is at a private address, which isn't allowed: set allow_private if it is meant");
        }
      }
    }
    return found;
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }

  static boolean isPrivate(InetAddress address) {
    if (address.isLoopbackAddress()
        || address.isAnyLocalAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()) {
      return true;
    }
    byte[] bytes = address.getAddress();
    return address instanceof Inet4Address ? isPrivate4(bytes, 0) : isPrivate6(bytes);
  }

  private static boolean isPrivate4(byte[] bytes, int from) {
    int a = bytes[from] & 0xff;
    int b = bytes[from + 1] & 0xff;
    int c = bytes[from + 2] & 0xff;
    return switch (a) {
      case 0, 10, 127 -> true;
      case 100 -> b >= 64 && b < 128;
      case 169 -> b == 254;
      case 172 -> b >= 16 && b < 32;
      case 192 -> b == 168 || (b == 0 && (c == 0 || c == 2));
      case 198 -> b == 18 || b == 19 || (b == 51 && c == 100);
      case 203 -> b == 0 && c == 113;
      default -> a >= 224;
    };
  }

  private static boolean isPrivate6(byte[] bytes) {
    int first = (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
    boolean uniqueLocal = (first & 0xfe00) == 0xfc00;
    boolean documentation = first == 0x2001 && bytes[2] == 0x0d && (bytes[3] & 0xff) == 0xb8;
    boolean sixToFour = first == 0x2002 && isPrivate4(bytes, 2);
    boolean nat64 = first == 0x0064 && (bytes[2] & 0xff) == 0xff && (bytes[3] & 0xff) == 0x9b;
    return uniqueLocal
        || documentation
        || sixToFour
        || (nat64 && isPrivate4(bytes, 12))
        || (isZero(bytes, 10) && isMappedOrCompatible(bytes) && isPrivate4(bytes, 12));
  }

  private static boolean isMappedOrCompatible(byte[] bytes) {
    boolean mapped = (bytes[10] & 0xff) == 0xff && (bytes[11] & 0xff) == 0xff;
    return mapped || (bytes[10] == 0 && bytes[11] == 0);
  }

  private static boolean isZero(byte[] bytes, int count) {
    for (int i = 0; i < count; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }
}
