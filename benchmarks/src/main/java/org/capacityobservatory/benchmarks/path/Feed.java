package org.capacityobservatory.benchmarks.path;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.capacityobservatory.benchmarks.generator.CallLines;

/** Log files that grow, each line in the envelope that Docker puts round it. */
final class Feed implements AutoCloseable {
  private static final int FILES = 4;
  private static final int USUAL_LINES = 5_000;

  private final List<Path> files = new ArrayList<>();
  private final List<OutputStream> outs = new ArrayList<>();
  private final List<String> usual = new ArrayList<>();
  private long written;

  Feed(Path folder) throws IOException {
    Random random = new Random(5);
    for (int i = 0; i < USUAL_LINES; i++) {
      usual.add(new String(CallLines.next(random), UTF_8).replace("\"", "\\\""));
    }
    for (int i = 0; i < FILES; i++) {
      Path file = folder.resolve("api-" + i + ".log");
      files.add(file);
      outs.add(Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    }
  }

  List<Path> files() {
    return files;
  }

  /** Lines written to all files so far; line n stands in file n modulo their number. */
  long written() {
    return written;
  }

  /** Writes lines, all with the time of now, in one piece a file. */
  void write(int lines) throws IOException {
    String end = "\\n\",\"stream\":\"stdout\",\"time\":\"" + Instant.now() + "\"}\n";
    List<StringBuilder> pieces = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      pieces.add(new StringBuilder());
    }
    for (int i = 0; i < lines; i++) {
      pieces
          .get((int) (written % FILES))
          .append("{\"log\":\"")
          .append(usual.get((int) (written % USUAL_LINES)))
          .append(end);
      written++;
    }
    for (int i = 0; i < FILES; i++) {
      outs.get(i).write(pieces.get(i).toString().getBytes(UTF_8));
    }
  }

  @Override
  public void close() throws IOException {
    for (OutputStream out : outs) {
      out.close();
    }
  }
}
