package org.capacityobservatory.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.capacityobservatory.sql.ClickHouseConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiConfigTest {
  private static final ClickHouseConfig CLICKHOUSE =
      new ClickHouseConfig(URI.create("http://127.0.0.1:8123"), "reader", "", "capacity");

  @Test
  void listensOnAFreeLoopbackPortUnlessToldOtherwise() {
    ApiConfig config = ApiConfig.of(CLICKHOUSE);

    assertThat(config.host()).isEqualTo("127.0.0.1");
    assertThat(config.port()).isZero();
    assertThat(config.limits()).isEqualTo(new QueryLimits(Duration.ofSeconds(10), 1L << 30, 8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "127.0.0.255", "localhost", "::1", "[::1]"})
  void takesLoopback(String host) {
    assertThat(new ApiConfig(host, 1, CLICKHOUSE, QueryLimits.DEFAULT).host()).isEqualTo(host);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "::",
        "10.0.0.1",
        "example.org",
        "127.0.0.1.example.org",
        "127.0.0.256",
        "localhost.example.org",
        "",
        "2130706433",
        "[::]"
      })
  void refusesToListenWider(String host) {
    assertThatThrownBy(() -> new ApiConfig(host, 1, CLICKHOUSE, QueryLimits.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("loopback only");
  }

  @Test
  void refusesToListenOnEveryAddress() throws UnknownHostException {
    String wildcard = InetAddress.getByAddress(new byte[4]).getHostAddress();
    assertThatThrownBy(() -> new ApiConfig(wildcard, 1, CLICKHOUSE, QueryLimits.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("loopback only");
  }

  @Test
  void listensWiderOnlyWithTokensAndBehindAProxyThatSpeaksTls() {
    Path tokens = Path.of("tokens.json");
    URI proxy = URI.create("https://capacity.example.org");

    assertThat(
            new ApiConfig("10.0.0.1", 1, CLICKHOUSE, QueryLimits.DEFAULT, tokens, proxy, null)
                .onLoopback())
        .isFalse();
    assertThatThrownBy(
            () -> new ApiConfig("10.0.0.1", 1, CLICKHOUSE, QueryLimits.DEFAULT, tokens, null, null))
        .hasMessageContaining("behind a proxy that speaks TLS")
        .hasMessageNotContaining("loopback only, for example");
    assertThatThrownBy(
            () -> new ApiConfig("10.0.0.1", 1, CLICKHOUSE, QueryLimits.DEFAULT, null, proxy, null))
        .hasMessageContaining("without tokens");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://capacity.example.org",
        "https://capacity.example.org/path",
        "https://user@capacity.example.org",
        "https://capacity.example.org?x",
        "capacity.example.org"
      })
  void aProxysAddressIsAnOrigin(String address) {
    assertThatThrownBy(
            () ->
                new ApiConfig(
                    "127.0.0.1",
                    1,
                    CLICKHOUSE,
                    QueryLimits.DEFAULT,
                    null,
                    URI.create(address),
                    null))
        .hasMessageContaining("use https://HOST");
  }

  @Test
  void tellsEveryProblemAtOnce() {
    assertThatThrownBy(() -> new ApiConfig("10.0.0.1", 65_536, CLICKHOUSE, QueryLimits.DEFAULT))
        .hasMessageContaining("API host '10.0.0.1'")
        .hasMessageContaining("API port 65536");
    assertThatThrownBy(() -> new QueryLimits(Duration.ofMillis(1_500), 1_000, 0))
        .hasMessageContaining("query time limit PT1.5S")
        .hasMessageContaining("query memory limit 1000 bytes")
        .hasMessageContaining("queries at the same time 0");
  }

  @Test
  void limitsBecomeSettings() {
    Properties settings = new QueryLimits(Duration.ofSeconds(7), 1L << 28, 3).settings();

    assertThat(settings)
        .containsEntry("max_execution_time", "7")
        .containsEntry("max_memory_usage", "268435456")
        .containsEntry("result_overflow_mode", "throw");
  }
}
