package org.capacityobservatory.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What counts as proof that a block is stored: answers that a real engine doesn't give on demand.
 */
class ClickHouseHttpTest {
  private static final String SUMMARY = "X-ClickHouse-Summary";

  private final Map<String, String> headers = new HashMap<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          headers.forEach(exchange.getResponseHeaders()::set);
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void asManyRowsAsSentAreStored() {
    headers.put(SUMMARY, "{\"written_rows\":\"2\"}");
    assertThatCode(this::insertTwoRows).doesNotThrowAnyException();
  }

  @Test
  void aRepeatMayReportNone() {
    headers.put(SUMMARY, "{\"written_rows\":\"0\"}");
    assertThatCode(this::insertTwoRows).doesNotThrowAnyException();
  }

  @Test
  void fewerRowsAreNoProof() {
    headers.put(SUMMARY, "{\"written_rows\":\"1\"}");
    assertThatThrownBy(this::insertTwoRows).hasMessageContaining("stored 1 of 2 rows of t");
  }

  @Test
  void silenceIsNoProof() {
    assertThatThrownBy(this::insertTwoRows)
        .hasMessageContaining("without saying how many it stored");
  }

  @Test
  void anExceptionInA200IsNoProof() {
    headers.put(SUMMARY, "{\"written_rows\":\"2\"}");
    headers.put("X-ClickHouse-Exception-Code", "252");
    assertThatThrownBy(this::insertTwoRows)
        .isInstanceOfSatisfying(
            ClickHouseException.class, e -> assertThat(e.code()).isEqualTo(252));
  }

  private void insertTwoRows() {
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    new ClickHouseHttp(new ClickHouseConfig(url, "default", "", "capacity"), Duration.ofSeconds(10))
        .insertBlock("t", List.of("{}\n{}\n".getBytes(UTF_8)), 2, "token");
  }
}
