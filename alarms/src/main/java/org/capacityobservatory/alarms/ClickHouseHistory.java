package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.capacityobservatory.sql.ClickHouseHttp;
import org.jspecify.annotations.Nullable;

/** The history in the table {@code alarm_transitions}; doubles collapse by id and revision. */
final class ClickHouseHistory implements History {
  private static final String TABLE = "alarm_transitions";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NO_ID = "00000000-0000-0000-0000-000000000000";

  private final ClickHouseHttp clickHouse;

  ClickHouseHistory(ClickHouseHttp clickHouse) {
    this.clickHouse = clickHouse;
  }

  @Override
  public void write(List<HistoryRow> rows) {
    StringBuilder block = new StringBuilder();
    rows.forEach(row -> block.append(json(row)).append('\n'));
    insert(block.toString(), rows.size());
  }

  @Override
  public void heartbeat(String evaluator, @Nullable Instant until, Instant now) {
    ObjectNode node = JSON.createObjectNode();
    node.put("kind", "evaluator");
    node.put("id", NO_ID);
    node.put("rule", evaluator);
    node.put("labels", "{}");
    node.put("severity", "");
    node.put("from_state", "");
    node.put("to_state", "active");
    node.put("event_at", DateTimes.of(Instant.EPOCH));
    node.put("decided_at", DateTimes.of(now));
    if (until != null) {
      node.put("firing_since", DateTimes.of(until));
    }
    node.put("summary", "");
    node.putObject("deliveries");
    node.put("revision", now.toEpochMilli());
    insert(node + "\n", 1);
  }

  private void insert(String block, int rows) {
    byte[] bytes = block.getBytes(UTF_8);
    clickHouse.insertBlock(TABLE, List.of(bytes), rows, "alarms-" + sha256(bytes));
  }

  private static ObjectNode json(HistoryRow row) {
    Transition transition = row.transition();
    ObjectNode node = JSON.createObjectNode();
    node.put("kind", "transition");
    node.put("id", transition.id().toString());
    node.put("rule", transition.series().rule());
    node.put("labels", BookCodec.map(transition.series().labels().asMap()).toString());
    node.put("severity", transition.severity());
    node.put("from_state", transition.from().word());
    node.put("to_state", transition.to().word());
    node.put("event_at", DateTimes.of(transition.at()));
    node.put("decided_at", DateTimes.of(row.decidedAt()));
    if (transition.firingSince() != null) {
      node.put("firing_since", DateTimes.of(transition.firingSince()));
    }
    transition.value().ifPresent(value -> node.put("value", value));
    if (transition.calls() > 0) {
      node.put("calls", transition.calls());
    }
    node.put("summary", transition.summary());
    node.set("deliveries", BookCodec.map(row.deliveries()));
    node.put("revision", row.revision());
    return node;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
