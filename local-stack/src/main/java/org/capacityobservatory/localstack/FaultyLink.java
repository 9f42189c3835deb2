package org.capacityobservatory.localstack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP connection to a server on loopback that can be made bad: answers cut off or slow, and
 * connections broken. For tests of what stands before a server.
 */
public final class FaultyLink implements AutoCloseable {
  private static final int BACKLOG = 50;

  private final ServerSocket listening;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean cutting;
  private volatile Duration delay = Duration.ZERO;

  private FaultyLink(ServerSocket listening, int target) {
    this.listening = listening;
    this.target = target;
  }

  /** A link to a port on loopback, at a free port of its own. */
  public static FaultyLink to(int port) {
    try {
      FaultyLink link =
          new FaultyLink(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()), port);
      start(link::accept);
      return link;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its address as an HTTP URL. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + listening.getLocalPort());
  }

  /** While on, requests reach the server, and its answers don't reach the client. */
  public void cutAnswers(boolean on) {
    cutting = on;
  }

  /** How long each piece of an answer is kept back. */
  public void delayAnswers(Duration by) {
    delay = by;
  }

  /** Breaks all connections; new ones are taken. */
  public void breakConnections() {
    open.forEach(FaultyLink::close);
    open.clear();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        connect(listening.accept());
      } catch (IOException e) {
        // The server may be away for a while; closing ends the loop.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      open.add(client);
      open.add(server);
      start(() -> copy(client, server, false));
      start(() -> copy(server, client, true));
    } catch (IOException e) {
      client.close();
    }
  }

  private void copy(Socket from, Socket to, boolean answers) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (answers) {
          Thread.sleep(delay.toMillis());
        }
        if (answers && cutting) {
          return;
        }
        out.write(buffer, 0, n);
        out.flush();
      }
    } catch (IOException | InterruptedException e) {
      // Either side may go at any time.
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "faulty-link");
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is broken, which was wanted.
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    breakConnections();
  }
}
