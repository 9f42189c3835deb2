package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An HTTP receiver on loopback that answers what it is told, byte for byte, and keeps what came.
 */
final class TestingEndpoint implements AutoCloseable {
  static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

  /** Says nothing until the other side gives up. */
  static final String SILENCE = "";

  record Request(String line, Map<String, String> headers, String body) {}

  private final ServerSocket server;
  private final Thread acceptor = new Thread(this::accept, "endpoint");
  private final Queue<String> answers = new ConcurrentLinkedQueue<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  TestingEndpoint() {
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    acceptor.setDaemon(true);
    acceptor.start();
  }

  int port() {
    return server.getLocalPort();
  }

  String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  /** The next answers, one a request; after them 200. */
  TestingEndpoint answers(String... next) {
    answers.addAll(List.of(next));
    return this;
  }

  static String status(int code, String... headers) {
    return "HTTP/1.1 "
        + code
        + " X\r\n"
        + String.join("", List.of(headers).stream().map(h -> h + "\r\n").toList())
        + "Content-Length: 0\r\nConnection: close\r\n\r\n";
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread thread = new Thread(() -> serve(socket), "endpoint-connection");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = socket.getInputStream();
      String head = head(in);
      String[] lines = head.split("\r\n", -1);
      Map<String, String> headers = new TreeMap<>();
      for (int i = 1; i < lines.length - 2; i++) {
        String[] parts = lines[i].split(": ", 2);
        headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
      }
      int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
      String body = new String(in.readNBytes(length), UTF_8);
      requests.add(new Request(lines[0], headers, body));
      String answer = answers.isEmpty() ? OK : answers.remove();
      if (answer.equals(SILENCE)) {
        int unused = in.read(); // until the other side gives up
        return;
      }
      socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
      socket.getOutputStream().flush();
    } catch (IOException e) {
      // The other side went away: that is what some tests are about.
      return;
    }
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("ended within the head");
      }
      head.write(b);
    }
    return head.toString(ISO_8859_1);
  }

  /** Nobody listens there any more. */
  void goAway() {
    close();
  }

  /** Returns when the port is free: a thread within {@code accept} keeps it open past the close. */
  @Override
  public void close() {
    try {
      server.close();
      acceptor.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
