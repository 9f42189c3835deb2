package org.capacityobservatory.shipper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPOutputStream;

/** Writes log files as an API and its rotation do. */
final class TestingLog {
  private TestingLog() {}

  /** The n-th line of the limiter, about 450 bytes, without LF. */
  static String call(int n) {
    return ("{\"event\":\"ocl_capacity\",\"decision\":\"admitted\",\"mode\":\"shadow\",\"enforced\":false,"
            + "\"endpoint\":\"$match\",\"semantic\":true,\"reranker\":false,\"rows\":25,"
            + "\"single_row\":false,\"tier\":\"core\",\"user_id\":1001,\"in_flight\":3,\"limit\":3,"
            + "\"task_in_flight\":1,\"task_limit\":2,\"es2_knn_in_flight\":2,\"es2_knn_limit\":3,"
            + "\"tier_in_flight\":2,\"tier_limit\":4,\"user_in_flight\":1,\"user_limit\":3,"
            + "\"suggested\":1,\"held_ms\":8412,\"queue_ms\":120,\"task\":\"task-a\",\"cid\":\"c%d\"}")
        .formatted(n);
  }

  /** Lines from … to, each with LF. */
  static String calls(int from, int to) {
    StringBuilder lines = new StringBuilder();
    for (int n = from; n <= to; n++) {
      lines.append(call(n)).append('\n');
    }
    return lines.toString();
  }

  static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  static void truncate(Path file) throws IOException {
    Files.newByteChannel(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
        .close();
  }

  static void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  static void gzip(Path from, Path to) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(to))) {
      Files.copy(from, out);
    }
  }
}
