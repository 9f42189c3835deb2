package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Receivers against real servers on loopback that answer well, badly, or not at all. */
class ReceiversIT {
  private static final InstantSource CLOCK = InstantSource.fixed(TestingAlerts.ENDED);
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;

  @Test
  void aWebhookGetsAlertmanagersPayloadSigned() throws Exception {
    try (TestingEndpoint endpoint = new TestingEndpoint();
        Receiver receiver =
            new WebhookReceiver(
                "ops",
                sender(endpoint.url("/hook?x=1"), true),
                new AlertJson(AlarmRules.shipped()),
                "secret",
                CLOCK)) {
      Notice notice =
          TestingAlerts.notice(TestingAlerts.resolved("core"), TestingAlerts.firing("preview"));
      receiver.deliver(notice);

      TestingEndpoint.Request request = endpoint.requests().get(0);
      assertThat(request.line()).isEqualTo("POST /hook?x=1 HTTP/1.1");
      assertThat(request.headers()).containsEntry("host", "127.0.0.1:" + endpoint.port());
      assertThat(request.headers()).containsEntry("x-capacity-delivery", notice.id().toString());
      // echo -n "$TIMESTAMP.$BODY" | openssl dgst -sha256 -hmac secret says the same.
      assertThat(request.headers().get("x-capacity-signature"))
          .isEqualTo(
              "sha256="
                  + WebhookReceiver.signature(
                      "secret",
                      request.headers().getOrDefault("x-capacity-timestamp", ""),
                      request.body().getBytes(UTF_8)));
      JsonNode body = JSON.readTree(request.body());
      assertThat(body.get("version").asText()).isEqualTo("4");
      assertThat(body.get("status").asText()).isEqualTo("firing");
      assertThat(body.get("receiver").asText()).isEqualTo("ops");
      assertThat(body.get("groupLabels").toString())
          .isEqualTo("{\"alertname\":\"TierWouldBeRefused\"}");
      assertThat(body.get("commonLabels").toString())
          .isEqualTo("{\"alertname\":\"TierWouldBeRefused\",\"severity\":\"ticket\"}");
      JsonNode first = body.get("alerts").get(0);
      assertThat(first.get("status").asText()).isEqualTo("resolved");
      assertThat(first.get("startsAt").asText()).isEqualTo("2026-11-30T09:56:00Z");
      assertThat(first.get("endsAt").asText()).isEqualTo("2026-11-30T10:03:00Z");
      assertThat(first.get("annotations").get("runbook").asText()).startsWith("See which lane");
      JsonNode second = body.get("alerts").get(1);
      assertThat(second.get("status").asText()).isEqualTo("firing");
      assertThat(second.get("endsAt").asText()).isEqualTo("0001-01-01T00:00:00Z");
      assertThat(second.get("fingerprint").asText()).hasSize(16);
    }
  }

  @Test
  void theSignatureIsHmacSha256() {
    // printf '1764496980.{}' | openssl dgst -sha256 -hmac secret
    assertThat(WebhookReceiver.signature("secret", "1764496980", "{}".getBytes(UTF_8)))
        .isEqualTo("fab74bae38aa7a99b3db755efa457779ac879f7007db01980a9c9414ce5fd763");
  }

  @Test
  void slackGetsTextThatCannotBeMarkup() throws Exception {
    try (TestingEndpoint endpoint = new TestingEndpoint();
        Receiver receiver =
            new SlackReceiver(
                "chat",
                sender(endpoint.url("/services/x"), true),
                new AlertText(new AlertJson(List.of())))) {
      receiver.deliver(TestingAlerts.notice(TestingAlerts.firing("core")));

      String text = JSON.readTree(endpoint.requests().get(0).body()).get("text").asText();
      assertThat(text)
          .startsWith("*[FIRING] TierWouldBeRefused*\n")
          .contains("are &lt;refused&gt; &amp; more")
          .contains("since 2026-11-30T09:56:00Z");
    }
  }

  @Test
  void aReceiverSaysWhenToComeAgain() throws Exception {
    try (TestingEndpoint endpoint = new TestingEndpoint();
        HttpSender sender = sender(endpoint.url("/"), true)) {
      endpoint.answers(
          TestingEndpoint.status(429, "Retry-After: 2"),
          TestingEndpoint.status(429, "Retry-After: Mon, 30 Nov 2026 10:04:30 GMT"),
          TestingEndpoint.status(503),
          TestingEndpoint.status(429, "Retry-After: soon"));

      assertThat(failure(sender).retryAfter()).isEqualTo(Duration.ofSeconds(2));
      assertThat(failure(sender).retryAfter()).isEqualTo(Duration.ofSeconds(90));
      DeliveryException busy = failure(sender);
      assertThat(busy.retryAfter()).isNull();
      assertThat(busy.isLasting()).isFalse();
      assertThat(failure(sender).retryAfter()).isNull();
    }
  }

  @Test
  void anAnswerWhoseBodyIsCutIsAnAnswer() throws Exception {
    try (TestingEndpoint endpoint = new TestingEndpoint();
        HttpSender sender = sender(endpoint.url("/"), true)) {
      endpoint.answers("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this");
      assertThatCode(() -> sender.post("{}".getBytes(UTF_8), Map.of())).doesNotThrowAnyException();
    }
  }

  @Test
  void whatIsNoAnswerMayPass() throws Exception {
    try (TestingEndpoint endpoint = new TestingEndpoint();
        HttpSender sender =
            new HttpSender(
                URI.create(endpoint.url("/secret-path")),
                new AddressGuard(true, InetAddress::getAllByName),
                Duration.ofMillis(500),
                CLOCK)) {
      endpoint.answers("HTTP/1.1 2", TestingEndpoint.SILENCE);
      assertThat(failure(sender).isLasting()).as("cut within the status").isFalse();
      DeliveryException slow = failure(sender);
      assertThat(slow.isLasting()).as("nothing for the whole limit").isFalse();
      assertThat(slow).hasMessageNotContaining("secret-path");
      endpoint.goAway();
      assertThat(failure(sender).isLasting()).as("nobody there").isFalse();
    }
  }

  @Test
  void redirectsAndRefusalsAreFinal() throws Exception {
    try (TestingEndpoint endpoint = new TestingEndpoint();
        TestingEndpoint elsewhere = new TestingEndpoint();
        HttpSender sender = sender(endpoint.url("/"), true)) {
      endpoint.answers(
          TestingEndpoint.status(302, "Location: " + elsewhere.url("/")),
          TestingEndpoint.status(308, "Location: http://[::ffff:127.0.0.1]:" + elsewhere.port()),
          TestingEndpoint.status(400));

      assertThat(failure(sender).isLasting()).isTrue();
      assertThat(failure(sender).isLasting()).isTrue();
      assertThat(failure(sender)).hasMessageContaining("answered 400");
      assertThat(elsewhere.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:a9fe:a9fe]",
        "10.1.2.3",
        "172.31.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "[fd00::1]",
        "[fe80::1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "0.0.0.1",
        "224.0.0.1"
      })
  void privateAddressesAreRefusedHoweverTheyAreWritten(String host) throws Exception {
    try (TestingEndpoint endpoint = new TestingEndpoint();
        HttpSender sender = sender("http://" + host + ":" + endpoint.port() + "/", false)) {
      assertThat(failure(sender).isLasting()).isFalse();
      assertThat(endpoint.requests()).isEmpty();
    }
  }

  @Test
  void publicAddressesAreNot() throws Exception {
    for (String address :
        List.of("93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "1.1.1.1")) {
      assertThat(AddressGuard.isPrivate(InetAddress.getByName(address))).as(address).isFalse();
    }
  }

  /**
   * A name that is at a public address when it is looked at and at a private one when it is
   * connected to. The first answer is one of the addresses for documentation; if the connection
   * looked the name up for itself, it would find the endpoint.
   */
  @Test
  void aNameIsLookedUpOnce() throws Exception {
    try (TestingEndpoint endpoint = new TestingEndpoint()) {
      Queue<String> addresses = new ArrayDeque<>(List.of("127.0.0.1"));
      AddressGuard guard =
          new AddressGuard(
              false,
              host -> {
                String next = addresses.poll();
                if (next == null) {
                  throw new UnknownHostException("looked up twice");
                }
                return new InetAddress[] {InetAddress.getByName(next)};
              });
      try (HttpSender sender =
          new HttpSender(
              URI.create("http://rebinding.example:" + endpoint.port() + "/"),
              guard,
              LIMIT,
              CLOCK)) {
        assertThat(failure(sender)).hasMessageContaining("private address");
      }
      assertThat(endpoint.requests()).isEmpty();

      // The connection goes where the check looked, under the name: allowed, it arrives.
      Queue<String> once = new ArrayDeque<>(List.of("127.0.0.1", "169.254.169.254"));
      AddressGuard allowing =
          new AddressGuard(true, host -> new InetAddress[] {InetAddress.getByName(once.remove())});
      try (HttpSender sender =
          new HttpSender(
              URI.create("http://rebinding.example:" + endpoint.port() + "/"),
              allowing,
              LIMIT,
              CLOCK)) {
        sender.post("{}".getBytes(UTF_8), Map.of());
      }
      assertThat(endpoint.requests()).hasSize(1);
      assertThat(endpoint.requests().get(0).headers())
          .containsEntry("host", "rebinding.example:" + endpoint.port());
      assertThat(once).containsExactly("169.254.169.254");
    }
  }

  @Test
  void emailHasOneIdOverAllTries() throws Exception {
    try (TestingSmtp server = new TestingSmtp()) {
      EmailReceiver receiver =
          new EmailReceiver(
              "mail",
              new EmailReceiver.Mail(
                  "127.0.0.1",
                  server.port(),
                  EmailReceiver.Tls.NONE,
                  "",
                  "",
                  "capacity@example.org",
                  List.of("a@example.org", "b@example.org")),
              new AlertText(new AlertJson(AlarmRules.shipped())),
              new AddressGuard(true, InetAddress::getAllByName));
      Notice notice = TestingAlerts.notice(TestingAlerts.firing("core"));
      server.refuseNext();
      DeliveryException refused =
          catchThrowableOfType(DeliveryException.class, () -> receiver.deliver(notice));
      assertThat(refused.isLasting()).isFalse();
      receiver.deliver(notice);
      receiver.deliver(notice);

      assertThat(server.mails()).hasSize(2);
      assertThat(server.mails())
          .allSatisfy(
              mail ->
                  assertThat(mail)
                      .contains("Message-ID: <" + notice.id() + "@capacity-observatory>")
                      .contains("Subject: [FIRING] TierWouldBeRefused")
                      .contains("TICKET {tier=\"core\"}"));
      assertThat(server.recipients()).contains("<a@example.org>", "<b@example.org>");
    }
  }

  /** However the connection is kept from being read, and whatever the name says the next time. */
  @ParameterizedTest
  @EnumSource(EmailReceiver.Tls.class)
  void mailGoesToTheCheckedAddressOrNowhere(EmailReceiver.Tls tls) throws Exception {
    InetAddress there = InetAddress.getLoopbackAddress();
    InetAddress nobody = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
    List<InetAddress> answers = new ArrayList<>(List.of(there, nobody));
    AddressGuard.Lookup rebinding = host -> new InetAddress[] {answers.remove(0)};
    try (TestingSmtp server = new TestingSmtp()) {
      Notice notice = TestingAlerts.notice(TestingAlerts.firing("core"));
      DeliveryException refused =
          catchThrowableOfType(
              DeliveryException.class,
              () -> mail(server, tls, new AddressGuard(false, rebinding)).deliver(notice));
      assertThat(refused).hasMessageContaining("private address");
      assertThat(server.connections()).isZero();
      assertThat(answers).as("looked up once").containsExactly(nobody);
      if (tls == EmailReceiver.Tls.NONE) {
        // The same receiver with leave to go there: the check is what kept it away. Its name is
        // nowhere but in this lookup.
        answers.add(0, there);
        mail(server, tls, new AddressGuard(true, rebinding)).deliver(notice);
        assertThat(server.mails()).hasSize(1);
        assertThat(answers).containsExactly(nobody);
      }
    }
  }

  private static EmailReceiver mail(TestingSmtp server, EmailReceiver.Tls tls, AddressGuard guard) {
    return new EmailReceiver(
        "mail",
        new EmailReceiver.Mail(
            "mail.invalid",
            server.port(),
            tls,
            "",
            "",
            "capacity@example.org",
            List.of("a@example.org")),
        new AlertText(new AlertJson(AlarmRules.shipped())),
        guard);
  }

  @Test
  void theFileOfReceiversNamesEveryProblem() throws IOException {
    Path file = directory.resolve("receivers.yaml");
    Files.writeString(
        file,
        """
        receivers:
          - name: ops
            type: pager
          - name: ops
            type: webhook
          - name: chat
            type: slack
            url: ftp://x/
          - name: mail
            type: email
            host: mail.example.org
            tls: maybe
            from: a@example.org
          - name: hook
            type: webhook
            url: https://user:secret@example.org/
            secret_file: nowhere
        """);
    AlarmRulesException refused =
        catchThrowableOfType(
            AlarmRulesException.class, () -> Receivers.read(file, List.of(), CLOCK));
    assertThat(refused.problems().stream().map(p -> p.substring(file.toString().length())))
        .containsExactly(
            ":3: 'type': 'pager' isn't one of [alertmanager, email, log, slack, webhook]",
            ":4: 'name': 'ops' stands twice",
            ":8: 'url': it must be like https://HOST/PATH",
            ":12: 'tls': 'maybe' isn't starttls, implicit or none",
            ":9: 'to' is missing: a list of addresses",
            ":16: 'url': it must not hold a login; use a secret_file",
            ":17: 'secret_file': the file nowhere can't be read: NoSuchFileException");
  }

  @Test
  void aFileOfReceiversIsRead() throws Exception {
    Files.writeString(directory.resolve("url"), "https://hooks.example.org/secret\n");
    Files.writeString(directory.resolve("password"), "p\n");
    Path file = directory.resolve("receivers.yaml");
    Files.writeString(
        file,
        """
        receivers:
          - {name: am, type: alertmanager, url: 'http://127.0.0.1:9093/', allow_private: true}
          - {name: hook, type: webhook, url: 'https://example.org/x', secret_file: password}
          - {name: chat, type: slack, url_file: url}
          - {name: mail, type: email, host: mail.example.org, user: u, password_file: password, from: a@example.org, to: [b@example.org]}
          - {name: line, type: log}
        """);
    List<Receiver> receivers = Receivers.read(file, List.of(), CLOCK);
    assertThat(receivers)
        .extracting(Receiver::name)
        .containsExactly("am", "hook", "chat", "mail", "line");
    receivers.forEach(Receiver::close);
  }

  private static HttpSender sender(String url, boolean allowPrivate) {
    return new HttpSender(
        URI.create(url), new AddressGuard(allowPrivate, InetAddress::getAllByName), LIMIT, CLOCK);
  }

  private static DeliveryException failure(HttpSender sender) {
    DeliveryException failure =
        catchThrowableOfType(
            DeliveryException.class, () -> sender.post("{}".getBytes(UTF_8), Map.of()));
    assertThat(failure).isNotNull();
    return failure;
  }
}
