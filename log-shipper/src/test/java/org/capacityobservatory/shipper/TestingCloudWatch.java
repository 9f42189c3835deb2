package org.capacityobservatory.shipper;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint that speaks FilterLogEvents as CloudWatch Logs does (JSON 1.1): pages with tokens,
 * some of them empty; events in the order of their times; refusals on demand.
 */
final class TestingCloudWatch implements AutoCloseable {
  private static final JsonFactory JSON = new JsonFactory();

  record Event(String id, long timestamp, String message) {}

  record Refusal(int status, String code, String message) {}

  private final HttpServer server;
  private final List<Event> events = new ArrayList<>();
  private final Deque<Refusal> refusals = new ArrayDeque<>();
  final AtomicInteger requests = new AtomicInteger();
  final AtomicInteger refused = new AtomicInteger();
  volatile int pageSize = 3;

  /** Each page repeats the last event of the one before. */
  volatile boolean repeating;

  TestingCloudWatch() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Makes an event visible from now on. */
  synchronized void show(String id, long timestamp, String message) {
    events.add(new Event(id, timestamp, message));
    events.sort(Comparator.comparingLong(Event::timestamp).thenComparing(Event::id));
  }

  /** The next requests are answered so. */
  synchronized void refuse(int times, int status, String code, String message) {
    for (int k = 0; k < times; k++) {
      refusals.add(new Refusal(status, code, message));
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    try {
      byte[] body = exchange.getRequestBody().readAllBytes();
      Refusal refusal = nextRefusal();
      String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
      String authorization = exchange.getRequestHeaders().getFirst("Authorization");
      if (!"Logs_20140328.FilterLogEvents".equals(target)) {
        send(exchange, 400, error("UnknownOperationException", String.valueOf(target)));
      } else if (authorization == null || !authorization.startsWith("AWS4-HMAC-SHA256")) {
        send(exchange, 400, error("MissingAuthenticationTokenException", "unsigned"));
      } else if (refusal != null) {
        refused.incrementAndGet();
        send(exchange, refusal.status(), error(refusal.code(), refusal.message()));
      } else {
        send(exchange, 200, page(request(body)));
      }
    } catch (RuntimeException e) {
      send(exchange, 500, error("InternalFailure", e.toString()));
    }
  }

  private synchronized @Nullable Refusal nextRefusal() {
    return refusals.poll();
  }

  private static Map<String, String> request(byte[] body) throws IOException {
    Map<String, String> request = new HashMap<>();
    try (JsonParser json = JSON.createParser(body)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String key = json.currentName();
        json.nextToken();
        request.put(key, json.getText());
      }
    }
    return request;
  }

  /** Tokens are {@code FROM-START:SKIP}; every third page is empty and has a token all the same. */
  private synchronized byte[] page(Map<String, String> request) {
    long from = Long.parseLong(request.getOrDefault("startTime", "0"));
    String token = request.get("nextToken");
    String[] parts = token == null ? new String[] {"0", "0"} : token.split(":");
    int pageNumber = Integer.parseInt(parts[0]);
    int skip = Integer.parseInt(parts[1]);
    List<Event> visible = events.stream().filter(e -> e.timestamp() >= from).toList();
    boolean empty = pageNumber % 3 == 2;
    int to = empty ? skip : Math.min(visible.size(), skip + pageSize);
    int first = repeating && skip > 0 && !empty ? skip - 1 : skip;
    return write(
        json -> {
          json.writeArrayFieldStart("events");
          for (Event event : visible.subList(Math.min(first, to), to)) {
            json.writeStartObject();
            json.writeStringField("logStreamName", "api/api/1");
            json.writeNumberField("timestamp", event.timestamp());
            json.writeStringField("message", event.message());
            json.writeNumberField("ingestionTime", event.timestamp() + 1);
            json.writeStringField("eventId", event.id());
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeArrayFieldStart("searchedLogStreams");
          json.writeEndArray();
          if (to < visible.size()) {
            json.writeStringField("nextToken", (pageNumber + 1) + ":" + to);
          }
        });
  }

  private static byte[] error(String code, String message) {
    return write(
        json -> {
          json.writeStringField("__type", "com.amazonaws.logs#" + code);
          json.writeStringField("message", message);
        });
  }

  @FunctionalInterface
  private interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  private static byte[] write(Body body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      body.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  static String idOf(int n) {
    return "39%054d".formatted(n);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
