package org.capacityobservatory.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.capacityobservatory.metrics.TestingCalls.call;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DimensionsTest {
  private final TestingDimensions heard = new TestingDimensions();
  private final Dimensions dimensions = new Dimensions(MetricsConfig.DEFAULT, heard);

  @Test
  void aMissingKeyIsNeitherOtherNorEmpty() {
    assertThat(dimensions.decision(call("'tier':'','request_source':'curl'")))
        .isEqualTo(new DecisionKey("admitted", null, null, null, null, "", null, "other"));
    assertThat(heard.unknown).containsExactly("tier=");
  }

  @Test
  void unknownValuesKeepTheirNameAndAreTold() {
    DecisionKey key =
        dimensions.decision(call("'mode':'Shadow','scope':'gpu_heavy','tier':'core'"));

    assertThat(key.mode()).isEqualTo("Shadow");
    assertThat(key.scope()).isEqualTo("gpu_heavy");
    assertThat(heard.unknown).containsExactly("mode=Shadow", "scope=gpu_heavy");
    assertThat(heard.overflowed).isEmpty();
  }

  @Test
  void aFullSetFoldsIntoOtherAndNamesTheOffender() {
    for (int i = 0; i < 16; i++) {
      assertThat(tierOf("new-" + i)).isEqualTo("new-" + i);
    }
    assertThat(tierOf("one-too-many")).isEqualTo("other");
    assertThat(tierOf("new-0")).isEqualTo("new-0");
    assertThat(tierOf("core")).isEqualTo("core");
    assertThat(heard.overflowed).containsExactly("tier=one-too-many");
  }

  @Test
  void whatNobodyBringsForADayMakesRoom() {
    dimensions.setNow(0);
    for (int i = 0; i < 16; i++) {
      tierOf("old-" + i);
    }
    dimensions.setNow(Duration.ofHours(24).toMillis() + 1);

    assertThat(tierOf("new")).isEqualTo("new");
    assertThat(heard.overflowed).isEmpty();
  }

  @Test
  void aValueTooLongForANameIsOther() {
    assertThat(tierOf("x".repeat(101))).isEqualTo("other");
  }

  @Test
  void fullSetsAreNamedInTheLimitersOrder() {
    assertThat(dimensions.fullSet(List.of())).isNull();
    assertThat(dimensions.fullSet(List.of("user"))).isEqualTo("user");
    assertThat(dimensions.fullSet(List.of("user", "api_heavy", "gpu", "es2_knn", "user")))
        .isEqualTo("api_heavy+es2_knn+user+gpu");
  }

  @Test
  void errorsAreKnownByWhatStandsBeforeTheColon() {
    assertThat(dimensions.error(null)).isNull();
    assertThat(dimensions.error("TimeoutError: Timeout reading from 10.1.2.3:6379"))
        .isEqualTo("TimeoutError");
    assertThat(dimensions.error("release skipped: Redis failed recently; the leases will expire"))
        .isEqualTo("release skipped");
    assertThat(dimensions.error("user 1001: no")).isEqualTo("other");
    assertThat(dimensions.error("")).isEqualTo("other");
  }

  @Test
  void classesAreReadAsPeopleWriteThem() {
    ValueClasses classes = ValueClasses.of(List.of("tbv3", "ui=mapper-row", "ui=mapper"));

    assertThat(classes.classOf("mapper")).isEqualTo("ui");
    assertThat(classes.classOf("tbv3")).isEqualTo("tbv3");
    assertThat(classes.classOf("TBV3")).isEqualTo("other");
    assertThat(classes.classOf(null)).isNull();
    assertThatThrownBy(() -> ValueClasses.of(List.of("a", "b=a"))).hasMessageContaining("'a'");
    assertThatThrownBy(() -> ValueClasses.of(List.of("b="))).hasMessageContaining("VALUE");
  }

  @Test
  void aConfigNamesEveryProblem() {
    assertThatThrownBy(
            () ->
                new MetricsConfig(
                    MetricsConfig.DEFAULT.requestSources(),
                    MetricsConfig.DEFAULT.algorithms(),
                    0,
                    Duration.ofSeconds(-1),
                    Duration.ZERO))
        .hasMessageContaining("near-limit share is 0.0")
        .hasMessageContaining("grace is -1 s")
        .hasMessageContaining("idle after 0 ms");
  }

  @Test
  void aRawQueueDelayIsHighByUpToASecond() {
    assertThat(QueueDelay.of(1500)).isEqualTo(new QueueDelay(501, 1500));
    assertThat(QueueDelay.of(120)).isEqualTo(new QueueDelay(0, 120));
  }

  @Test
  void usageCountsCallsWithoutATimeApart() {
    UsageTally usage = new UsageTally();
    usage.add(1500L);
    usage.add(null);
    usage.add(0L);

    assertThat(usage.calls()).isEqualTo(3);
    assertThat(usage.held()).isEqualTo(2);
    assertThat(usage.leaseMs()).isEqualTo(1500);
  }

  private String tierOf(String tier) {
    return String.valueOf(dimensions.decision(call("'tier':'" + tier + "'")).tier());
  }
}
