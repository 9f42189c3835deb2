package org.capacityobservatory.alarms;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A notice as people read it. */
final class AlertText {
  private final AlertJson alerts;

  AlertText(AlertJson alerts) {
    this.alerts = alerts;
  }

  /** One line: what is on or over, and how many. */
  String title(Notice notice) {
    boolean fires = notice.alerts().stream().anyMatch(alert -> !alert.isResolved());
    String state = fires ? "FIRING" : "RESOLVED";
    int count = notice.alerts().size();
    return "[" + state + (count > 1 ? ":" + count : "") + "] " + notice.rule();
  }

  /** Each alarm with its summary, and the runbook. */
  String body(Notice notice) {
    String lines = notice.alerts().stream().map(this::line).collect(Collectors.joining("\n"));
    Map<String, String> annotations = alerts.annotations(notice.alerts().get(0));
    String runbook = annotations.getOrDefault("runbook", "");
    return runbook.isEmpty() ? lines : lines + "\n" + runbook;
  }

  private String line(Transition alert) {
    String labels = alert.series().labels().asMap().isEmpty() ? "" : " " + alert.series().labels();
    return "%s%s: %s (since %s)"
        .formatted(
            (alert.isResolved() ? "resolved" : alert.severity()).toUpperCase(Locale.ROOT),
            labels,
            alert.summary(),
            alert.firingSince() == null ? alert.at() : alert.firingSince());
  }
}
