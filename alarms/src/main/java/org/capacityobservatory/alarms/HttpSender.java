package org.capacityobservatory.alarms;

import java.io.IOException;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.Closer;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Posts to one receiver's address: no redirects, no retries of its own, no proxy, nothing of the
 * answer but its status, and a limit on how long the whole may take.
 */
final class HttpSender implements AutoCloseable {
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int REQUEST_TIMEOUT = 408;

  private final URI url;
  private final Duration limit;
  private final InstantSource clock;
  private final CloseableHttpClient client;
  private final ScheduledExecutorService deadlines =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "alarms-http-deadline");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * A sender.
   *
   * @param limit how long one post may take, name lookup to status
   */
  HttpSender(URI url, AddressGuard guard, Duration limit, InstantSource clock) {
    this.url = url;
    this.limit = limit;
    this.clock = clock;
    Timeout timeout = Timeout.of(limit);
    this.client =
        HttpClients.custom()
            .setConnectionManager(
                PoolingHttpClientConnectionManagerBuilder.create()
                    .setDnsResolver(guard)
                    .setDefaultConnectionConfig(
                        ConnectionConfig.custom()
                            .setConnectTimeout(timeout)
                            .setSocketTimeout(timeout)
                            .build())
                    .build())
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    .setResponseTimeout(timeout)
                    .setRedirectsEnabled(false)
                    .build())
            .disableRedirectHandling()
            .disableAutomaticRetries()
            .disableCookieManagement()
            .disableAuthCaching()
            .build();
  }

  /** Posts JSON; returns when the receiver has answered that it took it. */
  void post(byte[] json, Map<String, String> headers) throws DeliveryException {
    HttpPost post = new HttpPost(url);
    headers.forEach(post::setHeader);
    post.setEntity(new ByteArrayEntity(json, ContentType.APPLICATION_JSON));
    Future<?> deadline = deadlines.schedule(post::abort, limit.toMillis(), TimeUnit.MILLISECONDS);
    try {
      ClassicHttpResponse answer = client.executeOpen(null, post, null);
      try {
        requireTaken(answer);
      } finally {
        // Not read on: a status is an answer even where the body after it is cut.
        Closer.closeQuietly(answer);
      }
    } catch (IOException e) {
      throw DeliveryException.passing("%s didn't answer: %s".formatted(place(), e.getMessage()), e);
    } finally {
      deadline.cancel(false);
    }
  }

  private String place() {
    // Paths and queries of webhooks are secrets.
    return url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
  }

  private @Nullable Duration retryAfter(ClassicHttpResponse answer) {
    Header header = answer.getFirstHeader("Retry-After");
    return header == null ? null : retryAfter(header.getValue(), clock.instant());
  }

  /** Seconds, or a date as HTTP writes it; null when it is neither. */
  static @Nullable Duration retryAfter(String value, Instant now) {
    String text = value.strip();
    try {
      return text.matches("\\d{1,9}")
          ? Duration.ofSeconds(Long.parseLong(text))
          : Duration.between(
              now, ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return null;
    }
  }

  private void requireTaken(ClassicHttpResponse answer) throws DeliveryException {
    int status = answer.getCode();
    if (status >= 200 && status < 300) {
      return;
    }
    String words = place() + " answered " + status;
    boolean mayPass = status >= 500 || status == TOO_MANY_REQUESTS || status == REQUEST_TIMEOUT;
    if (!mayPass) {
      throw DeliveryException.lasting(
          status >= 300 && status < 400
              ? words + ": redirects aren't followed; give the address it leads to"
              : words);
    }
    Duration wait = retryAfter(answer);
    throw wait == null
        ? DeliveryException.passing(words, null)
        : DeliveryException.after(wait, words);
  }

  @Override
  public void close() {
    deadlines.shutdownNow();
    client.close(org.apache.hc.core5.io.CloseMode.IMMEDIATE);
  }
}
