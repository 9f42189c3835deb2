package org.capacityobservatory.shipper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.capacityobservatory.shipper.TestingShipping.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.capacityobservatory.log.QuarantineReason;
import org.capacityobservatory.shipper.ScheduleModel.Action;
import org.capacityobservatory.shipper.ScheduleModel.Step;

/**
 * Any schedule of writes, rotations, passes, lost transactions, outages and kills, held against a
 * small model: each line is shipped once, but for those whose loss the model can name.
 *
 * <p>{@code -Djqwik.tries.default=500} tries 500 schedules. A failing one is printed as small as it
 * gets, with its seed.
 */
class SchedulePropertyTest {
  private static final int MAX_STEPS = 50;

  @Provide
  Arbitrary<List<Step>> schedules() {
    return Combinators.combine(Arbitraries.of(Action.class), Arbitraries.integers().between(0, 5))
        .as(Step::new)
        .list()
        .ofMaxSize(MAX_STEPS);
  }

  @Provide
  Arbitrary<Integer> bufferBytes() {
    return Arbitraries.integers().between(100, 5_000);
  }

  @Property
  void eachLineIsShippedOnce(
      @ForAll("schedules") List<Step> schedule, @ForAll("bufferBytes") int bufferBytes)
      throws IOException {
    Path folder = Files.createTempDirectory("schedule");
    try (TestingShipping shipping =
        new TestingShipping(config(folder + "/app.log*").build(), bufferBytes)) {
      ScheduleModel model = new ScheduleModel(folder, shipping);
      for (Step step : schedule) {
        model.take(step);
      }
      model.end();
      assertThat(shipping.cids()).as("nothing twice").doesNotHaveDuplicates();
      assertThat(shipping.cids()).as("nothing invented").isSubsetOf(model.written());
      assertThat(shipping.cids()).as("nothing lost").containsAll(model.mustArrive());
      assertThat(shipping.letters)
          .as("only lines cut by a truncation or deletion")
          .allMatch(letter -> letter.reason() == QuarantineReason.UNTERMINATED)
          .hasSizeLessThanOrEqualTo(model.cutLines());
    } finally {
      deleteAll(folder);
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
