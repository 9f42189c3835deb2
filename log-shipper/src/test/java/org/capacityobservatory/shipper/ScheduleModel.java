package org.capacityobservatory.shipper;

import static org.capacityobservatory.shipper.TestingLog.append;
import static org.capacityobservatory.shipper.TestingLog.call;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Does to real files what an API, its rotation and its machine do, and knows which lines must come
 * out: all but those that were in a file truncated before it was read, or removed while no handle
 * held it.
 */
final class ScheduleModel {
  enum Action {
    WRITE,
    WRITE_HALF,
    NOISE,
    ROTATE,
    COPY_TRUNCATE,
    TRUNCATE,
    DELETE,
    DELETE_ROTATED,
    COMPRESS,
    PASS,
    UNDO,
    KILL,
    PAUSE,
    RESUME
  }

  record Step(Action action, int n) {}

  /** One file, whatever its name, while it has one. */
  private static final class Content {
    final List<Integer> lines = new ArrayList<>();
    boolean held;
  }

  private final Path folder;
  private final Path log;
  private final TestingShipping shipping;
  private @Nullable Content current;

  /** The rotated files, newest first: {@code app.log.1}, {@code app.log.2}, … */
  private final List<Content> rotated = new ArrayList<>();

  private final List<Content> removed = new ArrayList<>();
  private final Set<Integer> written = new TreeSet<>();
  private final Set<Integer> mayBeLost = new HashSet<>();
  private int number;
  private boolean half;
  private boolean paused;
  private int cut;

  ScheduleModel(Path folder, TestingShipping shipping) {
    this.folder = folder;
    this.log = folder.resolve("app.log");
    this.shipping = shipping;
  }

  void take(Step step) throws IOException {
    switch (step.action()) {
      case WRITE -> write(step.n());
      case WRITE_HALF -> writeHalf();
      case NOISE -> noise();
      case ROTATE -> rotate();
      case COPY_TRUNCATE -> copyTruncate();
      case TRUNCATE -> truncate();
      case DELETE -> delete();
      case DELETE_ROTATED -> deleteRotated(step.n());
      case COMPRESS -> compress();
      case PASS -> pass();
      case UNDO -> undo();
      case KILL -> kill();
      case PAUSE -> paused = true;
      case RESUME -> paused = false;
    }
  }

  /** Lets everything arrive that still can. */
  void end() {
    paused = false;
    shipping.settle();
    shipping.settle();
  }

  Set<Integer> written() {
    return written;
  }

  Set<Integer> mustArrive() {
    Set<Integer> must = new TreeSet<>(written);
    must.removeAll(mayBeLost);
    return must;
  }

  /** At most so many lines were left half by a truncation or deletion. */
  int cutLines() {
    return cut;
  }

  private Content current() {
    Content content = current;
    if (content == null) {
      content = new Content();
      current = content;
    }
    return content;
  }

  private void write(int more) throws IOException {
    if (half) {
      append(log, call(number).substring(100) + "\n");
      complete();
      return;
    }
    for (int k = 0; k <= more; k++) {
      append(log, call(++number) + "\n");
      complete();
    }
  }

  private void complete() {
    half = false;
    written.add(number);
    current().lines.add(number);
  }

  private void writeHalf() throws IOException {
    if (!half) {
      append(log, call(++number).substring(0, 100));
      current();
      half = true;
    }
  }

  private void noise() throws IOException {
    if (!half) {
      append(log, "noise after " + number + "\n");
      current();
    }
  }

  private void rotate() throws IOException {
    Content content = current;
    if (!half && content != null) {
      shiftRotated();
      TestingLog.rename(log, name(1, ""));
      rotated.add(0, content);
      current = null;
    }
  }

  private void copyTruncate() throws IOException {
    // A file that was never read can't be told from its copy, nor one of less than a head.
    if (!half && !paused && current != null && Files.size(log) > Head.MAX_BYTES) {
      pass();
      shiftRotated();
      Files.copy(log, name(1, ""));
      TestingLog.truncate(log);
      Content copy = new Content();
      copy.lines.addAll(current().lines);
      rotated.add(0, copy);
      current().lines.clear();
      current().held = false;
    }
  }

  private void truncate() throws IOException {
    Content content = current;
    if (content != null) {
      TestingLog.truncate(log);
      lose(content);
      content.lines.clear();
      // What is written from now on is another generation, which only a look at the disk takes up.
      content.held = false;
      half = false;
    }
  }

  private void delete() throws IOException {
    Content content = current;
    if (content != null) {
      Files.delete(log);
      remove(content);
      half = false;
      current = null;
    }
  }

  private void deleteRotated(int n) throws IOException {
    if (n < rotated.size()) {
      Files.deleteIfExists(name(n + 1, ""));
      Files.deleteIfExists(name(n + 1, ".gz"));
      remove(rotated.remove(n));
      // The older ones move up, as rotation keeps their numbers without a gap.
      for (int k = n + 1; k <= rotated.size(); k++) {
        rename(k + 1, k);
      }
    }
  }

  private void remove(Content content) {
    removed.add(content);
    if (!content.held) {
      lose(content);
    }
    cut++;
  }

  private void lose(Content content) {
    // The last line may have been read in part: also one that was whole by now.
    cut++;
    content.lines.stream().filter(line -> !shipping.cids().contains(line)).forEach(mayBeLost::add);
  }

  private void compress() throws IOException {
    Path plain = name(1, "");
    if (!paused && Files.exists(plain) && Files.size(plain) > Head.MAX_BYTES) {
      shipping.settle();
      hold();
      TestingLog.gzip(plain, name(1, ".gz"));
      Files.delete(plain);
    }
  }

  private void pass() {
    if (paused) {
      shipping.look();
    } else {
      shipping.pass();
    }
    hold();
  }

  private void undo() {
    if (paused) {
      shipping.look();
    } else {
      shipping.undonePass();
    }
    hold();
  }

  /** Every file that has a name now is open. */
  private void hold() {
    if (current != null) {
      current().held = true;
    }
    rotated.forEach(content -> content.held = true);
  }

  private void kill() {
    shipping.kill();
    removed.forEach(this::lose);
    if (current != null) {
      current().held = false;
    }
    rotated.forEach(content -> content.held = false);
  }

  private void shiftRotated() throws IOException {
    for (int k = rotated.size(); k >= 1; k--) {
      rename(k, k + 1);
    }
  }

  private void rename(int from, int to) throws IOException {
    for (String end : new String[] {"", ".gz"}) {
      if (Files.exists(name(from, end))) {
        TestingLog.rename(name(from, end), name(to, end));
      }
    }
  }

  private Path name(int n, String end) {
    return folder.resolve("app.log." + n + end);
  }
}
