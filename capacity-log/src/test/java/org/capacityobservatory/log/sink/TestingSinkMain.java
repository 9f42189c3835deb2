package org.capacityobservatory.log.sink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/** A process that puts lines and ends. */
public final class TestingSinkMain {
  private TestingSinkMain() {}

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "in-flight" -> inFlight(Path.of(arguments[1]), arguments[2].equals("exit"));
      case "stdout" -> stdout(Integer.parseInt(arguments[1]));
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  /** Ends while one line is being written and another is queued. */
  private static void inFlight(Path file, boolean politely) throws Exception {
    FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    TestingChannel slow =
        new TestingChannel() {
          @Override
          public int write(ByteBuffer bytes) throws IOException {
            entered.countDown();
            LockSupport.parkNanos(300_000_000);
            return out.write(bytes);
          }
        };
    BoundedSink sink = BoundedSink.open(LineOutput.channel(slow));
    sink.put(TestingCalls.call("being-written"));
    slow.entered.await();
    sink.put(TestingCalls.call("queued"));
    if (politely) {
      System.exit(0);
    }
    Runtime.getRuntime().halt(0);
  }

  /** Puts more than a pipe holds and ends. */
  private static void stdout(int lines) {
    BoundedSink sink = BoundedSink.open(LineOutput.stdout());
    for (int line = 0; line < lines; line++) {
      sink.put(TestingCalls.call("n" + line));
    }
    SinkStats stats = sink.stats();
    System.err.println("offered " + stats.offered());
  }
}
