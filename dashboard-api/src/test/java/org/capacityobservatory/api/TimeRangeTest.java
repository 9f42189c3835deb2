package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeRangeTest {
  private static final Instant NOW = Instant.parse("2026-11-30T10:08:15.250Z");
  private static final Period DATA =
      new Period(Instant.parse("2026-11-30T09:48:00Z"), Instant.parse("2026-11-30T10:05:00Z"));

  private static Parameters parameters(@Nullable String from, @Nullable String to) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    if (from != null) {
      values.put("from", List.of(from));
    }
    if (to != null) {
      values.put("to", List.of(to));
    }
    return new Parameters(values, List.of("from", "to"));
  }

  private static TimeRange range(@Nullable String from, @Nullable String to) {
    Parameters parameters = parameters(from, to);
    TimeRange range = TimeRange.of(parameters, NOW);
    parameters.check();
    return range;
  }

  @ParameterizedTest
  @CsvSource({
    "now, 2026-11-30T10:08:15.250Z",
    "-30s, 2026-11-30T10:07:45.250Z",
    "-15m, 2026-11-30T09:53:15.250Z",
    "-1h, 2026-11-30T09:08:15.250Z",
    "-7d, 2026-11-23T10:08:15.250Z",
    "-2w, 2026-11-16T10:08:15.250Z",
    "2026-11-30T09:48:00Z, 2026-11-30T09:48:00Z",
    "2026-11-30T11:48:00.5+02:00, 2026-11-30T09:48:00.500Z",
    "1970-01-01T00:00:00Z, 1970-01-01T00:00:00Z",
  })
  void readsTimes(String text, Instant expected) {
    assertThat(range(text, null).from()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "1h",
        "-1y",
        "-1.5h",
        "--1h",
        "-9999999h",
        "2026-11-30",
        "2026-11-30T09:48:00",
        "2026-13-30T09:48:00Z",
        "2026-11-30T09:48:00 02:00",
        "1969-12-31T23:59:59Z",
        "2106-01-01T00:00:01Z",
        "+999999999-12-31T23:59:59Z",
        "-999999w",
        "2026-11-30T09:48:00Z' OR 1=1 --",
        "1796000000"
      })
  void refusesWhatIsNoTime(String text) {
    ProblemException refused =
        catchThrowableOfType(ProblemException.class, () -> range(text, null));

    assertThat(refused.problem().errors()).hasSize(1);
    assertThat(refused.problem().errors().get(0).parameter()).isEqualTo("from");
  }

  @Test
  void refusesAnEndThatIsNotAfterTheStart() {
    ProblemException refused =
        catchThrowableOfType(ProblemException.class, () -> range("-1h", "-1h"));

    assertThat(refused.problem().detail()).isEqualTo("from: it is not before to");
  }

  @Test
  void withoutAnyBoundItIsAllThereIs() {
    assertThat(range(null, null).minutes(DATA, NOW)).isEqualTo(DATA);
    assertThat(range(null, null).minutes(null, NOW)).isNull();
  }

  @Test
  void widensToWholeMinutes() {
    assertThat(range("2026-11-30T09:50:30Z", "2026-11-30T09:51:00.001Z").minutes(DATA, NOW))
        .isEqualTo(
            new Period(
                Instant.parse("2026-11-30T09:50:00Z"), Instant.parse("2026-11-30T09:52:00Z")));
  }

  @Test
  void anOpenEndReachesNowAndAllData() {
    assertThat(range("-1h", null).minutes(DATA, NOW))
        .isEqualTo(
            new Period(
                Instant.parse("2026-11-30T09:08:00Z"), Instant.parse("2026-11-30T10:09:00Z")));
    Period ahead = new Period(DATA.from(), Instant.parse("2026-11-30T11:00:00Z"));
    assertThat(range("-1h", null).minutes(ahead, NOW))
        .isEqualTo(new Period(Instant.parse("2026-11-30T09:08:00Z"), ahead.to()));
  }

  @Test
  void anOpenStartIsTheDatas() {
    assertThat(range(null, "2026-11-30T10:00:00Z").minutes(DATA, NOW))
        .isEqualTo(new Period(DATA.from(), Instant.parse("2026-11-30T10:00:00Z")));
    Instant before = Instant.parse("2026-11-30T08:00:00Z");
    assertThat(range(null, before.toString()).minutes(DATA, NOW))
        .isEqualTo(new Period(before, before));
    assertThat(range(null, before.toString()).minutes(null, NOW))
        .isEqualTo(new Period(before, before));
  }
}
