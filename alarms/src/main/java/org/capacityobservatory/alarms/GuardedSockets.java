package org.capacityobservatory.alarms;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sockets that connect only to what a guard lets through: whoever asks for a host by name gets the
 * address that was checked, whatever the caller looked up itself.
 */
final class GuardedSockets extends SocketFactory {
  private final AddressGuard guard;

  GuardedSockets(AddressGuard guard) {
    this.guard = guard;
  }

  private final class GuardedSocket extends Socket {
    @Override
    public void connect(SocketAddress endpoint) throws IOException {
      connect(endpoint, 0);
    }

    @Override
    public void connect(SocketAddress endpoint, int timeoutMillis) throws IOException {
      if (!(endpoint instanceof InetSocketAddress asked)) {
        throw new UnknownHostException(endpoint + " is no internet address");
      }
      InetAddress checked = guard.resolve(asked.getHostString())[0];
      super.connect(new InetSocketAddress(checked, asked.getPort()), timeoutMillis);
    }
  }

  @Override
  public Socket createSocket() {
    return new GuardedSocket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port), null);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return connected(
        new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port), null);
  }

  @Override
  public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
      throws IOException {
    return connected(
        new InetSocketAddress(address, port), new InetSocketAddress(localAddress, localPort));
  }

  private Socket connected(InetSocketAddress to, @Nullable InetSocketAddress from)
      throws IOException {
    Socket socket = createSocket();
    try {
      socket.bind(from);
      socket.connect(to);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }
}
