package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Alarms in the forms that receivers read: Alertmanager's API v2, and its webhook's version 4. */
final class AlertJson {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NEVER = "0001-01-01T00:00:00Z";
  private static final int FINGERPRINT_CHARS = 16;

  /**
   * How long Alertmanager goes on with an alarm that it isn't reminded of: an evaluator that is
   * down for long mustn't look like an end.
   */
  private static final Duration ENDS_AFTER = Duration.ofDays(1);

  private final Map<String, AlarmRule> rules = new TreeMap<>();

  AlertJson(List<AlarmRule> rules) {
    rules.forEach(rule -> this.rules.put(rule.name(), rule));
  }

  /** What API v2 takes in. */
  byte[] forAlertmanager(List<Transition> alerts, Instant now) {
    ArrayNode list = JSON.createArrayNode();
    for (Transition alert : alerts) {
      ObjectNode node = list.addObject();
      node.set("labels", BookCodec.map(alert.labels()));
      node.set("annotations", BookCodec.map(annotations(alert)));
      node.put("startsAt", startsAt(alert).toString());
      node.put(
          "endsAt",
          (alert.isResolved() ? alert.at() : latest(now, startsAt(alert)).plus(ENDS_AFTER))
              .toString());
    }
    return list.toString().getBytes(UTF_8);
  }

  /** What a webhook of Alertmanager's gets, payload version 4. */
  byte[] forWebhook(Notice notice) {
    boolean fires = notice.alerts().stream().anyMatch(alert -> !alert.isResolved());
    ObjectNode node = JSON.createObjectNode();
    node.put("version", "4");
    node.put("groupKey", "{}:{alertname=\"" + notice.rule() + "\"}");
    node.put("truncatedAlerts", 0);
    node.put("status", fires ? "firing" : "resolved");
    node.put("receiver", notice.receiver());
    node.putObject("groupLabels").put(Silence.ALERT_NAME, notice.rule());
    node.set(
        "commonLabels",
        BookCodec.map(common(notice.alerts().stream().map(Transition::labels).toList())));
    node.set(
        "commonAnnotations",
        BookCodec.map(common(notice.alerts().stream().map(this::annotations).toList())));
    node.put("externalURL", "");
    ArrayNode alerts = node.putArray("alerts");
    notice.alerts().forEach(alert -> alerts.add(alert(alert)));
    return node.toString().getBytes(UTF_8);
  }

  private ObjectNode alert(Transition alert) {
    ObjectNode node = JSON.createObjectNode();
    node.put("status", alert.isResolved() ? "resolved" : "firing");
    node.set("labels", BookCodec.map(alert.labels()));
    node.set("annotations", BookCodec.map(annotations(alert)));
    node.put("startsAt", startsAt(alert).toString());
    node.put("endsAt", alert.isResolved() ? alert.at().toString() : NEVER);
    node.put("generatorURL", "");
    node.put("fingerprint", fingerprint(alert.labels()));
    return node;
  }

  Map<String, String> annotations(Transition alert) {
    return AlertLabels.annotations(rules.get(alert.series().rule()), alert);
  }

  private static Instant startsAt(Transition alert) {
    return alert.firingSince() == null ? alert.at() : alert.firingSince();
  }

  private static Instant latest(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private static Map<String, String> common(List<Map<String, String>> maps) {
    Map<String, String> common = new TreeMap<>(maps.get(0));
    maps.forEach(map -> common.entrySet().retainAll(map.entrySet()));
    return common;
  }

  private static String fingerprint(Map<String, String> labels) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(labels.toString().getBytes(UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, FINGERPRINT_CHARS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
