package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.capacityobservatory.sql.ClickHouseConfig;

/** A running API and what asks it. */
final class TestingClient implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

  private final ApiServer server;

  private TestingClient(ApiServer server) {
    this.server = server;
  }

  static TestingClient start(ClickHouseConfig clickHouse, Instant now) {
    return start(ApiConfig.of(clickHouse), InstantSource.fixed(now));
  }

  static TestingClient start(ApiConfig config, InstantSource clock) {
    return new TestingClient(
        ApiServer.start(config, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), clock));
  }

  URI url() {
    return server.url();
  }

  int port() {
    return server.port();
  }

  /** The answer to a GET, whatever it is. */
  HttpResponse<String> get(String pathAndQuery, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.url().resolve(pathAndQuery)).timeout(Duration.ofSeconds(60));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return HTTP.send(request.build(), BodyHandlers.ofString(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The answer to any method, with a body of JSON unless it is empty. */
  HttpResponse<String> send(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.url().resolve(path)).timeout(Duration.ofSeconds(60));
    if (headers.length > 0) {
      request.headers(headers);
    }
    if (body.isEmpty()) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request.header("Content-Type", "application/json");
      request.method(method, BodyPublishers.ofString(body));
    }
    try {
      return HTTP.send(request.build(), BodyHandlers.ofString(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The lines of a stream of events, which never ends; to be closed. */
  HttpResponse<Stream<String>> lines(String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.url().resolve(path)).header("Accept", "text/event-stream");
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return HTTP.send(request.build(), BodyHandlers.ofLines());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The JSON of an answer that must be 200. */
  JsonNode json(String pathAndQuery) {
    HttpResponse<String> answer = get(pathAndQuery);
    assertThat(answer.statusCode()).as("%s: %s", pathAndQuery, answer.body()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    return parse(answer.body());
  }

  /** The problem of an answer that must have this status. */
  JsonNode problem(int status, String pathAndQuery, String... headers) {
    HttpResponse<String> answer = get(pathAndQuery, headers);
    assertThat(answer.statusCode()).as("%s: %s", pathAndQuery, answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    JsonNode problem = parse(answer.body());
    assertThat(problem.get("status").asInt()).isEqualTo(status);
    return problem;
  }

  /** Sends bytes as they are and returns all that comes back until the API closes. */
  String raw(String request) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      InputStream answer = socket.getInputStream();
      return new String(answer.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A text as JSON has it. */
  static String quoted(String text) {
    return JSON.getNodeFactory().textNode(text).toString();
  }

  static JsonNode parse(String body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new UncheckedIOException(body, e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
