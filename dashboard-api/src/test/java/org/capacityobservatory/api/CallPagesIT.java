package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pages of calls over a long time, in which most hours are empty. */
@SuppressWarnings("NullAway.Init") // filled before all tests
class CallPagesIT {
  /** Around the ends of the windows that are read one after the other: 1 h, 9 h, 73 h, 585 h. */
  private static final List<Duration> AGES =
      List.of(
          Duration.ofMinutes(-30),
          Duration.ofSeconds(-30),
          Duration.ofMinutes(58),
          Duration.ofMinutes(61),
          Duration.ofMinutes(61),
          Duration.ofHours(5),
          Duration.ofHours(9).minusMinutes(5),
          Duration.ofHours(9).plusMinutes(5),
          Duration.ofHours(72),
          Duration.ofHours(74),
          Duration.ofDays(24),
          Duration.ofDays(25),
          Duration.ofDays(80));

  private static TestingClient api;
  private static Instant now;

  @BeforeAll
  static void start() {
    now = Instant.now();
    TestingDatabase database = TestingDatabase.create();
    List<Map<String, @Nullable Object>> calls = new ArrayList<>();
    for (int n = 0; n < AGES.size(); n++) {
      String decision = n == 11 ? "refused" : "admitted";
      calls.add(database.call(now.minus(AGES.get(n)), decision, "rows", n, "user_id", 100 + n));
    }
    // Of two with one time the greater id comes first.
    calls.get(3).put("event_id", "00000000-0000-4000-8000-000000000009");
    calls.get(4).put("event_id", "00000000-0000-4000-8000-000000000008");
    for (Map<String, @Nullable Object> call : calls) {
      database.insert("calls", List.of(call));
    }
    api = TestingClient.start(ApiConfig.of(database.reader()), InstantSource.system());
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @Test
  void togetherHoldEachCallOnceNewestFirst() {
    for (int limit : new int[] {1, 3, 4, 100}) {
      assertThat(rows("?limit=" + limit)).as("limit %d", limit).isEqualTo(numbers(0, 13));
    }
  }

  @Test
  void keepToThePeriod() {
    assertThat(rows("?limit=2&from=-9h")).isEqualTo(numbers(0, 7));
    assertThat(rows("?limit=2&from=-600h&to=-1h")).isEqualTo(numbers(3, 11));
    assertThat(rows("?to=-90d")).isEmpty();
  }

  @Test
  void findWhatIsRare() {
    assertThat(rows("?decision=refused")).isEqualTo(numbers(11, 12));
    assertThat(rows("?decision=refused&from=-500h")).isEmpty();
  }

  private static List<Integer> numbers(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  /** The numbers of all calls that the pages hold. */
  private static List<Integer> rows(String query) {
    List<Integer> found = new ArrayList<>();
    String cursor = "";
    while (true) {
      JsonNode page = TestingClient.parse(api.get("/api/v1/calls" + query + cursor).body());
      page.get("calls").forEach(call -> found.add(call.get("rows").asInt()));
      JsonNode next = page.get("next_cursor");
      if (next.isNull()) {
        return found;
      }
      cursor = "&cursor=" + next.asText();
    }
  }
}
