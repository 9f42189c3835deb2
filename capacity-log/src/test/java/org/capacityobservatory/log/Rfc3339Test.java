package org.capacityobservatory.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc3339Test {
  private static long parse(String text) {
    return Rfc3339.parseMillis(text.getBytes(US_ASCII), 0, text.length());
  }

  @ParameterizedTest
  @CsvSource({
    "1970-01-01T00:00:00Z, 0",
    "2026-11-30T09:48:14.830426781Z, 1796032094830",
    "2026-03-01T10:00:00.4+01:00, 1772355600400",
    "2024-02-29T23:59:59.9999Z, 1709251199999",
    "2000-02-29T00:00:00.000Z, 951782400000",
    "1969-12-31T23:59:59.999Z, -1",
    "2026-01-01T00:30:00-00:30, 1767229200000",
    "0000-01-01T00:00:00Z, -62167219200000",
    "9999-12-31T23:59:59.999999999Z, 253402300799999",
    "2016-12-31T23:59:60Z, 1483228800000",
  })
  void readsTimes(String text, long expectedMillis) {
    assertThat(parse(text)).isEqualTo(expectedMillis);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-11-30",
        "2026-11-30 09:48:14Z",
        "2026-11-30T09:48:14",
        "2026-11-30T09:48:14.Z",
        "2026-11-30T09:48:14.1234567890Z",
        "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "2026-04-00T00:00:00Z",
        "2026-04-01T24:00:00Z",
        "2026-04-01T00:60:00Z",
        "2026-04-01T00:00:61Z",
        "2026-04-01T00:00:00+2:00",
        "2026-04-01T00:00:00+0200",
        "2026-04-01T00:00:00+24:00",
        "2026-04-01T00:00:00ZZ",
        "20x6-04-01T00:00:00Z",
      })
  void refusesWhatIsNoTime(String text) {
    assertThat(parse(text)).isEqualTo(Rfc3339.NOT_A_TIME);
  }

  @Property
  void agreesWithTheJdk(
      @ForAll @LongRange(min = -62_135_596_800L, max = 253_402_214_400L) long seconds,
      @ForAll @IntRange(max = 999_999_999) int nanos,
      @ForAll @IntRange(min = -17 * 60, max = 17 * 60) int offsetMinutes) {
    OffsetDateTime time =
        OffsetDateTime.ofInstant(
            java.time.Instant.ofEpochSecond(seconds, nanos),
            ZoneOffset.ofTotalSeconds(offsetMinutes * 60));
    if (time.getYear() < 0 || time.getYear() > 9999) {
      return;
    }
    String text = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time);
    assertThat(parse(text)).as(text).isEqualTo(time.toInstant().toEpochMilli());
  }
}
