package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** An incoming webhook of Slack's kind, which other chats understand too. */
final class SlackReceiver implements Receiver {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String name;
  private final HttpSender sender;
  private final AlertText text;

  SlackReceiver(String name, HttpSender sender, AlertText text) {
    this.name = name;
    this.sender = sender;
    this.text = text;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void deliver(Notice notice) throws DeliveryException {
    String words = "*" + escaped(text.title(notice)) + "*\n" + escaped(text.body(notice));
    sender.post(
        JSON.createObjectNode().put("text", words).toString().getBytes(UTF_8),
        Map.of(WebhookReceiver.DELIVERY, notice.id().toString()));
  }

  /** What would be a link or a mention to Slack. */
  private static String escaped(String words) {
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  @Override
  public void close() {
    sender.close();
  }
}
