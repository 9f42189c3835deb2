package org.capacityobservatory.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import org.capacityobservatory.cli.Summary.Percentiles;
import org.capacityobservatory.cli.Summary.TierCount;
import org.jspecify.annotations.Nullable;

/** A summary as JSON for programs, and as tables for people. */
final class SummaryText {
  private SummaryText() {}

  /** How a summary is printed. */
  enum Format {
    TEXT,
    JSON
  }

  static String of(Summary summary, Format format) {
    return format == Format.JSON ? json(summary) : tables(summary);
  }

  private static String json(Summary summary) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeNumberField("calls", summary.calls());
      counts(json, "decisions", summary.decisions());
      counts(json, "scopes", summary.scopes());
      json.writeObjectFieldStart("tiers");
      for (Map.Entry<String, TierCount> tier : summary.tiers().entrySet()) {
        tier(json, tier.getKey(), tier.getValue());
      }
      json.writeEndObject();
      if (summary.withoutTier().calls() > 0) {
        tier(json, "without_tier", summary.withoutTier());
      }
      percentiles(json, "held_ms", summary.heldMs());
      percentiles(json, "queue_ms", summary.queueMs());
      json.writeObjectFieldStart("lines");
      json.writeNumberField("read", summary.lines().read());
      json.writeNumberField("not_ours", summary.lines().notOurs());
      json.writeNumberField("dead", summary.lines().dead());
      json.writeNumberField("dropped_at_source", summary.lines().droppedAtSource());
      json.writeEndObject();
      json.writeNumberField("config_changes", summary.configChanges());
      json.writeNumberField("untimed_calls", summary.untimed());
      json.writeStringField("first_at", textOrNull(summary.firstAt()));
      json.writeStringField("last_at", textOrNull(summary.lastAt()));
      json.writeArrayFieldStart("unread");
      for (Map.Entry<String, String> file : summary.unread().entrySet()) {
        json.writeStartObject();
        json.writeStringField("file", file.getKey());
        json.writeStringField("problem", file.getValue());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("Writing JSON to memory failed", e);
    }
    return text.toString();
  }

  private static @Nullable String textOrNull(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  private static void counts(JsonGenerator json, String name, Map<String, Long> counts)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, Long> count : counts.entrySet()) {
      json.writeNumberField(count.getKey(), count.getValue());
    }
    json.writeEndObject();
  }

  private static void tier(JsonGenerator json, String name, TierCount count) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("calls", count.calls());
    json.writeNumberField("refused", count.refused());
    json.writeEndObject();
  }

  private static void percentiles(JsonGenerator json, String name, @Nullable Percentiles values)
      throws IOException {
    if (values == null) {
      json.writeNullField(name);
      return;
    }
    json.writeObjectFieldStart(name);
    json.writeNumberField("n", values.n());
    json.writeNumberField("p50", values.p50());
    json.writeNumberField("p95", values.p95());
    json.writeNumberField("p99", values.p99());
    json.writeEndObject();
  }

  private static String tables(Summary summary) {
    StringBuilder text = new StringBuilder();
    line(text, "Calls        %,10d   %s", summary.calls(), period(summary));
    if (summary.untimed() > 0) {
      line(
          text,
          "  of them    %,10d   without a time of their own (no envelope, or no sane one)",
          summary.untimed());
    }
    line(text, "");
    line(text, "Decision");
    summary.decisions().forEach((name, n) -> counted(text, name, n, summary.calls()));
    line(text, "");
    line(text, "Lane reported");
    summary.scopes().forEach((name, n) -> counted(text, name, n, summary.calls()));
    line(text, "");
    line(text, "%-16s %10s %10s %8s", "Tier", "calls", "refused*", "share");
    summary.tiers().forEach((name, count) -> tierRow(text, "  " + name, count));
    if (summary.withoutTier().calls() > 0) {
      tierRow(text, "  (no tier)", summary.withoutTier());
    }
    line(text, "  * refused, or would have been (shadow-refused)");
    line(text, "");
    line(text, "%-16s %10s %10s %10s %10s", "Latency, ms", "calls", "p50", "p95", "p99");
    latencyRow(text, "  held", summary.heldMs());
    latencyRow(text, "  queueing**", summary.queueMs());
    line(text, "  ** high by 0 to 999 ms: the load balancer's stamp has whole seconds");
    line(text, "");
    line(
        text,
        "Lines read %,d, not ours %,d, dead %,d, dropped at the source %,d; config changes %,d",
        summary.lines().read(),
        summary.lines().notOurs(),
        summary.lines().dead(),
        summary.lines().droppedAtSource(),
        summary.configChanges());
    summary
        .unread()
        .forEach((file, problem) -> line(text, "NOT READ, or not whole: %s: %s", file, problem));
    return text.toString();
  }

  private static String period(Summary summary) {
    return summary.firstAt() == null ? "" : summary.firstAt() + " to " + summary.lastAt();
  }

  private static void counted(StringBuilder text, String name, long n, long of) {
    line(text, "  %-14s %,10d %9.1f %%", name, n, 100.0 * n / of);
  }

  private static void tierRow(StringBuilder text, String name, TierCount count) {
    line(
        text,
        "%-16s %,10d %,10d %6.1f %%",
        name,
        count.calls(),
        count.refused(),
        100.0 * count.refused() / count.calls());
  }

  private static void latencyRow(StringBuilder text, String name, @Nullable Percentiles values) {
    if (values == null) {
      line(text, "%-16s %10s", name, "none");
    } else {
      line(
          text,
          "%-16s %,10d %,10d %,10d %,10d",
          name,
          values.n(),
          values.p50(),
          values.p95(),
          values.p99());
    }
  }

  private static void line(StringBuilder text, String format, @Nullable Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
