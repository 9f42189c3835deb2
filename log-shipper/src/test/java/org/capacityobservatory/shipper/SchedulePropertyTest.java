package org.capacityobservatory.shipper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.capacityobservatory.shipper.TestingLog.append;
import static org.capacityobservatory.shipper.TestingLog.call;
import static org.capacityobservatory.shipper.TestingShipping.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random writes, rotations, passes, lost transactions and kills: each line is shipped once. */
class SchedulePropertyTest {
  private enum Action {
    WRITE,
    WRITE_HALF,
    NOISE,
    ROTATE,
    COPY_TRUNCATE,
    COMPRESS,
    PASS,
    UNDO,
    KILL
  }

  @Property(tries = 60)
  void eachLineIsShippedOnce(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    Path folder = Files.createTempDirectory("schedule");
    Path log = folder.resolve("app.log");
    List<Action> done = new ArrayList<>();
    int written = 0;
    boolean halfOpen = false;
    try (TestingShipping shipping =
        new TestingShipping(config(log + "*").build(), 100 + random.nextInt(5000))) {
      for (int step = 0; step < 40; step++) {
        Action action = Action.values()[random.nextInt(Action.values().length)];
        done.add(action);
        switch (action) {
          case WRITE, WRITE_HALF, NOISE -> {
            if (halfOpen) {
              append(log, call(written).substring(100) + "\n");
              halfOpen = false;
            } else if (action == Action.NOISE) {
              append(log, "noise " + step + "\n");
            } else if (action == Action.WRITE_HALF) {
              append(log, call(++written).substring(0, 100));
              halfOpen = true;
            } else {
              for (int k = random.nextInt(6); k >= 0; k--) {
                append(log, call(++written) + "\n");
              }
            }
          }
          case ROTATE -> {
            if (!halfOpen && Files.exists(log)) {
              rotate(folder);
            }
          }
          case COPY_TRUNCATE -> {
            // A file that was never read can't be told from its copy.
            if (!halfOpen && Files.exists(log) && Files.size(log) > Head.MAX_BYTES) {
              shipping.pass();
              shiftRotated(folder);
              Files.copy(log, folder.resolve("app.log.1"));
              TestingLog.truncate(log);
            }
          }
          case COMPRESS -> {
            Path rotated = folder.resolve("app.log.1");
            if (Files.exists(rotated) && Files.size(rotated) > Head.MAX_BYTES) {
              shipping.settle();
              TestingLog.gzip(rotated, folder.resolve("app.log.1.gz"));
              Files.delete(rotated);
            }
          }
          case PASS -> shipping.pass();
          case UNDO -> shipping.undonePass();
          case KILL -> shipping.kill();
        }
      }
      shipping.settle();
      int complete = halfOpen ? written - 1 : written;
      assertThat(shipping.cids().stream().sorted().toList())
          .as("seed %d, %s", seed, done)
          .isEqualTo(IntStream.rangeClosed(1, complete).boxed().toList());
      assertThat(shipping.letters).as("seed %d, %s", seed, done).isEmpty();
    } finally {
      deleteAll(folder);
    }
  }

  private static void rotate(Path folder) throws IOException {
    shiftRotated(folder);
    TestingLog.rename(folder.resolve("app.log"), folder.resolve("app.log.1"));
  }

  private static void shiftRotated(Path folder) throws IOException {
    for (int k = 40; k >= 1; k--) {
      for (String end : new String[] {"", ".gz"}) {
        Path from = folder.resolve("app.log." + k + end);
        if (Files.exists(from)) {
          TestingLog.rename(from, folder.resolve("app.log." + (k + 1) + end));
        }
      }
    }
  }

  private static void deleteAll(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
