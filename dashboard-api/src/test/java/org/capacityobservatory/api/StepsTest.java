package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StepsTest {
  private static final Parameters NONE = new Parameters(Map.of(), List.of("step"));
  private static final Instant START = Instant.parse("2026-11-30T09:48:00Z");

  private static Period from(Instant start, Duration length) {
    return new Period(start, start.plus(length));
  }

  @ParameterizedTest
  @CsvSource({
    "PT20M, 60, 20",
    "PT1000M, 60, 1000",
    "PT1001M, 120, 501",
    "P1D, 120, 720",
    "PT95H, 600, 571",
    "P7D, 3600, 169",
    "P365D, 43200, 731",
    "P800D, 86400, 801",
    "P36500D, 3196800, 988"
  })
  void choosesAStepThatMakesAtMostAThousandPoints(Duration length, long step, int points) {
    Steps steps = Steps.over(from(START, length), null, NONE);

    assertThat(steps.stepSeconds()).isEqualTo(step);
    assertThat(steps.times()).hasSize(points);
  }

  @Test
  void countsStepsFromTheEpoch() {
    Steps steps = Steps.over(from(START, Duration.ofMinutes(20)), 600L, NONE);

    assertThat(steps.times())
        .containsExactly(
            Instant.parse("2026-11-30T09:40:00Z"),
            Instant.parse("2026-11-30T09:50:00Z"),
            Instant.parse("2026-11-30T10:00:00Z"));
    assertThat(steps.index(Instant.parse("2026-11-30T09:50:00Z").toEpochMilli())).isEqualTo(1);
  }

  @Test
  void anEmptyPeriodHasNoPoints() {
    assertThat(Steps.over(from(START, Duration.ZERO), null, NONE).times()).isEmpty();
  }

  @Test
  void refusesAStepThatMakesTooManyPoints() {
    ProblemException refused =
        catchThrowableOfType(
            ProblemException.class,
            () ->
                Steps.over(
                    from(START, Duration.ofDays(3650)), 60L, new Parameters(Map.of(), List.of())));

    assertThat(refused.problem().status()).isEqualTo(400);
    assertThat(refused.problem().errors().get(0).parameter()).isEqualTo("step");
    assertThat(refused.problem().errors().get(0).remedy()).contains("use at least 345600");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "59", "90", "-60", "1s", "60.0", "31622460"})
  void refusesStepsThatAreNoMinutes(String step) {
    Parameters parameters = new Parameters(Map.of("step", List.of(step)), List.of("step"));
    Steps.requested(parameters);

    assertThat(catchThrowableOfType(ProblemException.class, parameters::check)).isNotNull();
  }

  @Test
  void aStepIsCompleteWhenItIsWholeAndOver() {
    Period period = from(START, Duration.ofMinutes(14));
    Steps steps = Steps.over(period, 300L, NONE);

    // 09:45 begins before the period, 10:00 ends after it; 09:55 ends at 10:00.
    assertThat(steps.complete(period, Instant.parse("2026-11-30T12:00:00Z")))
        .containsExactly(false, true, true, false);
    assertThat(steps.complete(period, Instant.parse("2026-11-30T09:59:59.999Z")))
        .containsExactly(false, true, false, false);
    assertThat(steps.complete(period, null)).containsOnly(false);
  }

  @Test
  void knowsWhichStepsTouchTheData() {
    Steps steps = Steps.over(from(START, Duration.ofMinutes(4)), 60L, NONE);
    Period known = new Period(START.plusSeconds(60), START.plusSeconds(180));

    assertThat(steps.touches(0, known)).isFalse();
    assertThat(steps.touches(1, known)).isTrue();
    assertThat(steps.touches(2, known)).isTrue();
    assertThat(steps.touches(3, known)).isFalse();
    assertThat(steps.touches(1, null)).isFalse();
  }

  @Property
  void stepsCoverThePeriodWithoutGapsWithinTheLimit(
      @ForAll @LongRange(min = 0, max = 70_000_000) long startMinute,
      @ForAll @LongRange(min = 1, max = 1_000_000) long minutes) {
    Period period = from(Instant.ofEpochSecond(startMinute * 60), Duration.ofMinutes(minutes));

    Steps steps = Steps.over(period, null, NONE);

    List<Instant> times = steps.times();
    assertThat(times).hasSizeBetween(1, Steps.MAX_POINTS);
    assertThat(times.get(0)).isBeforeOrEqualTo(period.from());
    assertThat(times.get(0).plusSeconds(steps.stepSeconds())).isAfter(period.from());
    assertThat(times.get(times.size() - 1)).isBefore(period.to());
    assertThat(times.get(times.size() - 1).plusSeconds(steps.stepSeconds()))
        .isAfterOrEqualTo(period.to());
  }
}
