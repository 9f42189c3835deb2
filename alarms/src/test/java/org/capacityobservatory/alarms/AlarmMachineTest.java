package org.capacityobservatory.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.capacityobservatory.alarms.AlarmExpression.Comparison;
import org.capacityobservatory.alarms.AlarmRule.NoData;
import org.junit.jupiter.api.Test;

class AlarmMachineTest {
  /** Letters of a timeline: above the threshold, between clear and threshold, below, no value. */
  private static final String HIGH = "H";

  private static final String MIDDLE = "M";
  private static final String LOW = "L";
  private static final String NOTHING = "_";

  @Test
  void theMinuteInWhichTheConditionBeginsCounts() {
    assertThat(states(rule(3, 0, NoData.KEEP, false), "L H H H L"))
        .isEqualTo("inactive pending pending firing resolved");
    assertThat(states(rule(0, 0, NoData.KEEP, false), "H L H")).isEqualTo("firing resolved firing");
  }

  @Test
  void aBreakStartsTheTimerAgain() {
    assertThat(states(rule(3, 0, NoData.KEEP, false), "H H L H H H"))
        .isEqualTo("pending pending inactive pending pending firing");
  }

  @Test
  void keepFiringForIsCountedFromTheFirstMinuteThatDoesNotHold() {
    assertThat(states(rule(0, 2, NoData.KEEP, false), "H L L L H L L H L L L"))
        .isEqualTo(
            "firing firing firing resolved firing firing firing firing firing firing resolved");
  }

  @Test
  void anAlarmThatFiresEndsOnlyBeyondItsClearThreshold() {
    assertThat(states(rule(0, 0, NoData.KEEP, true), "M H M M L M"))
        .isEqualTo("inactive firing firing firing resolved resolved");
  }

  @Test
  void withoutDataTimersStandStill() {
    assertThat(states(rule(3, 0, NoData.KEEP, false), "H H _ _ _ _ H L"))
        .isEqualTo("pending pending no-data no-data no-data no-data firing resolved");
    assertThat(states(rule(0, 2, NoData.KEEP, false), "H L _ _ _ L L"))
        .isEqualTo("firing firing no-data no-data no-data firing resolved");
    assertThat(states(rule(1, 0, NoData.KEEP, false), "_ _ L"))
        .isEqualTo("inactive inactive inactive");
  }

  @Test
  void noDataMayBeSaidToMeanOkOrAlert() {
    assertThat(states(rule(0, 0, NoData.OK, false), "H _ H")).isEqualTo("firing resolved firing");
    assertThat(states(rule(2, 0, NoData.ALERT, false), "_ _ L"))
        .isEqualTo("pending firing resolved");
  }

  /**
   * Whatever comes: nothing is resolved without a value that says so, and nothing fires too early.
   */
  @Property(tries = 500)
  void resolvesOnEvidenceOnlyAndFiresInTimeOnly(
      @ForAll("rules") AlarmRule rule, @ForAll("timelines") List<String> timeline) {
    SeriesState state = SeriesState.INACTIVE;
    int heldInARow = 0;
    for (int i = 0; i < timeline.size(); i++) {
      SeriesState before = state;
      String letter = timeline.get(i);
      state = AlarmMachine.step(rule, before, at(i), reading(letter));
      boolean holds =
          letter.equals(HIGH) || (letter.equals(NOTHING) && rule.noData() == NoData.ALERT);
      boolean still = letter.equals(NOTHING) && rule.noData() == NoData.KEEP;
      if (!still && !before.isFiring()) {
        heldInARow = holds ? heldInARow + 1 : 0;
      }
      if (state.state() == AlarmState.RESOLVED && before.isFiring()) {
        assertThat(letter).isNotEqualTo(HIGH);
        assertThat(letter.equals(NOTHING))
            .isEqualTo(rule.noData() == NoData.OK && letter.equals(NOTHING));
        heldInARow = 0;
      }
      if (state.isFiring() && !before.isFiring()) {
        assertThat(Duration.ofMinutes(heldInARow)).isGreaterThanOrEqualTo(rule.holdFor());
        assertThat(state.firingSince()).isEqualTo(at(i));
        heldInARow = 0;
      }
      if (still) {
        assertThat(state.under()).isEqualTo(before.under());
        assertThat(state.held()).isEqualTo(before.held());
        assertThat(state.over()).isEqualTo(before.over());
      }
    }
  }

  /** Minutes without data, wherever they are put in, change only when things happen, not what. */
  @Property(tries = 300)
  void minutesWithoutDataChangeNothingButTheTime(
      @ForAll("timelines") List<String> timeline, @ForAll("rules") AlarmRule rule) {
    AlarmRule keeps =
        new AlarmRule(
            rule.name(),
            rule.expression(),
            rule.holdFor(),
            rule.keepFiringFor(),
            rule.clear(),
            0,
            NoData.KEEP,
            Map.of(),
            Map.of());
    List<String> told = timeline.stream().filter(l -> !l.equals(NOTHING)).toList();
    assertThat(turns(keeps, timeline)).isEqualTo(turns(keeps, told));
  }

  private static List<AlarmState> turns(AlarmRule rule, List<String> timeline) {
    List<AlarmState> turns = new ArrayList<>();
    SeriesState state = SeriesState.INACTIVE;
    for (int i = 0; i < timeline.size(); i++) {
      SeriesState after = AlarmMachine.step(rule, state, at(i), reading(timeline.get(i)));
      if (after.under() != state.under()) {
        turns.add(after.under());
      }
      state = after;
    }
    return turns;
  }

  @Provide
  Arbitrary<List<String>> timelines() {
    return Arbitraries.of(HIGH, MIDDLE, LOW, NOTHING).list().ofMaxSize(60);
  }

  @Provide
  Arbitrary<AlarmRule> rules() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 5),
            Arbitraries.integers().between(0, 5),
            Arbitraries.of(NoData.class),
            Arbitraries.of(true, false))
        .as(AlarmMachineTest::rule);
  }

  private static AlarmRule rule(int forMinutes, int keepMinutes, NoData noData, boolean clear) {
    return new AlarmRule(
        "R",
        new AlarmExpression(
            Metric.REFUSED_SHARE, Map.of(), Duration.ofMinutes(1), Set.of(), Comparison.ABOVE, 0.5),
        Duration.ofMinutes(forMinutes),
        Duration.ofMinutes(keepMinutes),
        clear ? OptionalDouble.of(0.2) : OptionalDouble.empty(),
        0,
        noData,
        Map.of(),
        Map.of());
  }

  private static String states(AlarmRule rule, String timeline) {
    List<String> words = new ArrayList<>();
    SeriesState state = SeriesState.INACTIVE;
    String[] letters = timeline.split(" ", -1);
    for (int i = 0; i < letters.length; i++) {
      state = AlarmMachine.step(rule, state, at(i), reading(letters[i]));
      words.add(state.state().word());
    }
    return String.join(" ", words);
  }

  private static Instant at(int minute) {
    return Instant.EPOCH.plus(Duration.ofMinutes(minute + 1L));
  }

  private static Reading reading(String letter) {
    return switch (letter) {
      case HIGH -> new Reading(0.9, 100);
      case MIDDLE -> new Reading(0.4, 100);
      case LOW -> new Reading(0.1, 100);
      default -> Reading.UNDEFINED;
    };
  }
}
