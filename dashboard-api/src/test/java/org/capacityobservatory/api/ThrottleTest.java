package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ThrottleTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Throttle throttle = new Throttle(2, 3, 10, nanos::get);

  private boolean request(String caller) {
    boolean begun = throttle.begin(caller);
    if (begun) {
      throttle.end(caller);
    }
    return begun;
  }

  @Test
  void aBurstIsLetThroughAndThenTheRate() {
    assertThat(request("a")).isTrue();
    assertThat(request("a")).isTrue();
    assertThat(request("a")).isTrue();
    assertThat(request("a")).isFalse();
    assertThat(request("b")).as("another caller").isTrue();

    nanos.addAndGet(499_999_999);
    assertThat(request("a")).isFalse();
    nanos.addAndGet(2);
    assertThat(request("a")).isTrue();
    assertThat(request("a")).isFalse();
  }

  @Test
  void soManyAtOnceAndNoMore() {
    Throttle two = new Throttle(100, 100, 2, nanos::get);
    assertThat(two.begin("a")).isTrue();
    assertThat(two.begin("a")).isTrue();
    assertThat(two.begin("a")).isFalse();
    two.end("a");
    assertThat(two.begin("a")).isTrue();
  }
}
