package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** As much of a mail server as it takes to be sent mail, on loopback. */
final class TestingSmtp implements AutoCloseable {
  private final ServerSocket server;
  private final List<String> mails = new CopyOnWriteArrayList<>();
  private final List<String> recipients = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicBoolean refuse = new AtomicBoolean();

  TestingSmtp() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::accept, "smtp");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return server.getLocalPort();
  }

  void refuseNext() {
    refuse.set(true);
  }

  int connections() {
    return connections.get();
  }

  List<String> mails() {
    return List.copyOf(mails);
  }

  List<String> recipients() {
    return List.copyOf(recipients);
  }

  private void accept() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        connections.incrementAndGet();
        serve(socket);
      } catch (IOException e) {
        if (server.isClosed()) {
          return;
        }
      }
    }
  }

  private void serve(Socket socket) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    OutputStream out = socket.getOutputStream();
    say(out, "220 here");
    String line = in.readLine();
    while (line != null) {
      if (line.startsWith("EHLO")) {
        say(out, "250 8BITMIME");
      } else if (line.startsWith("RCPT TO:")) {
        recipients.add(line.substring("RCPT TO:".length()).strip());
        say(out, "250 ok");
      } else if (line.equals("DATA") && refuse.getAndSet(false)) {
        say(out, "451 later");
      } else if (line.equals("DATA")) {
        say(out, "354 go on");
        mails.add(untilDot(in));
        say(out, "250 taken");
      } else if (line.equals("QUIT")) {
        say(out, "221 bye");
        return;
      } else {
        say(out, "250 ok");
      }
      line = in.readLine();
    }
  }

  private static String untilDot(BufferedReader in) throws IOException {
    StringBuilder mail = new StringBuilder();
    String line = in.readLine();
    while (line != null && !line.equals(".")) {
      mail.append(line).append('\n');
      line = in.readLine();
    }
    return mail.toString();
  }

  private static void say(OutputStream out, String words) throws IOException {
    out.write((words + "\r\n").getBytes(UTF_8));
    out.flush();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
