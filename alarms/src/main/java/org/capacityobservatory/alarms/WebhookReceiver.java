package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A webhook that understands Alertmanager's payload version 4, signed where there is a secret:
 * {@code X-Capacity-Signature: sha256=HEX}, HMAC-SHA256 over {@code X-Capacity-Timestamp}, a dot,
 * and the body.
 */
final class WebhookReceiver implements Receiver {
  /** The notice's id, constant over all tries. */
  static final String DELIVERY = "X-Capacity-Delivery";

  static final String TIMESTAMP = "X-Capacity-Timestamp";
  static final String SIGNATURE = "X-Capacity-Signature";

  private final String name;
  private final HttpSender sender;
  private final AlertJson json;
  private final String secret;
  private final InstantSource clock;

  /**
   * A webhook.
   *
   * @param secret empty for none
   */
  WebhookReceiver(
      String name, HttpSender sender, AlertJson json, String secret, InstantSource clock) {
    this.name = name;
    this.sender = sender;
    this.json = json;
    this.secret = secret;
    this.clock = clock;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void deliver(Notice notice) throws DeliveryException {
    byte[] body = json.forWebhook(notice);
    Map<String, String> headers = new TreeMap<>();
    headers.put(DELIVERY, notice.id().toString());
    if (!secret.isEmpty()) {
      String timestamp = Long.toString(clock.instant().getEpochSecond());
      headers.put(TIMESTAMP, timestamp);
      headers.put(SIGNATURE, "sha256=" + signature(secret, timestamp, body));
    }
    sender.post(body, headers);
  }

  static String signature(String secret, String timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
      mac.update((timestamp + ".").getBytes(UTF_8));
      return HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java platform has HmacSHA256", e);
    }
  }

  @Override
  public void close() {
    sender.close();
  }
}
