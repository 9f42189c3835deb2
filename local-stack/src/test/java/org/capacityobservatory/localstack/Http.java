package org.capacityobservatory.localstack;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A small client of ClickHouse's HTTP interface, for one user. */
final class Http {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final URI url;
  private final String user;
  private final String password;

  Http(URI url, String user, String password) {
    this.url = url;
    this.user = user;
    this.password = password;
  }

  static Http as(LocalClickHouse server, String user) {
    return new Http(server.url(), user, server.password(user));
  }

  /** A request with the user's login; the address begins with {@code /}. */
  HttpRequest.Builder request(String address) {
    return HttpRequest.newBuilder(url.resolve(address)).header("Authorization", basic());
  }

  String basic() {
    String login = user + ":" + password;
    return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
  }

  HttpResponse<String> get(String address) throws Exception {
    return send(request(address).GET());
  }

  HttpResponse<String> post(String address, String body) throws Exception {
    return send(request(address).POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  /** The result of a query that must succeed. */
  String query(String sql) throws Exception {
    HttpResponse<String> answer = post("/", sql);
    if (answer.statusCode() != 200) {
      throw new AssertionError(sql + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  static HttpResponse<byte[]> sendForBytes(HttpRequest.Builder request) throws Exception {
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
