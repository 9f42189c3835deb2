package org.capacityobservatory.streams.writer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stands between a client and a server on loopback, and cuts off answers when told to. */
final class CuttingProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean cutting;

  CuttingProxy(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + listening.getLocalPort());
  }

  /** From now on requests reach the server, and its answers don't reach the client. */
  void cutAnswers(boolean on) {
    cutting = on;
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(client);
        open.add(server);
        start(() -> copy(client, server, false));
        start(() -> copy(server, client, true));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void copy(Socket from, Socket to, boolean answers) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (answers && cutting) {
          return;
        }
        out.write(buffer, 0, n);
        out.flush();
      }
    } catch (IOException e) {
      // Either side may go at any time.
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "cutting-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
