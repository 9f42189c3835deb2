package org.capacityobservatory.alarms;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * Alertmanager by its API v2. It forgets alarms that it isn't reminded of, and all of them at a
 * restart, so it is told again what fires.
 */
final class AlertmanagerReceiver implements Receiver {
  private final String name;
  private final HttpSender sender;
  private final AlertJson json;
  private final InstantSource clock;

  AlertmanagerReceiver(String name, HttpSender sender, AlertJson json, InstantSource clock) {
    this.name = name;
    this.sender = sender;
    this.json = json;
    this.clock = clock;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void deliver(Notice notice) throws DeliveryException {
    sender.post(
        json.forAlertmanager(notice.alerts(), clock.instant()),
        Map.of(WebhookReceiver.DELIVERY, notice.id().toString()));
  }

  @Override
  public void remind(List<Transition> firing, Instant now) throws DeliveryException {
    sender.post(json.forAlertmanager(firing, now), Map.of());
  }

  @Override
  public void close() {
    sender.close();
  }
}
