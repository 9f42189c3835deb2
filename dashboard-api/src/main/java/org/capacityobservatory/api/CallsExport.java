package org.capacityobservatory.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Calls as files for other programs. */
final class CallsExport {
  static final int MOST_ROWS = 10_000;

  private static final String LINE_END = "\r\n";
  private static final String FORMULA_STARTS = "=+-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20";

  private final CallsResource calls;
  private final InstantSource clock;

  CallsExport(CallsResource calls, InstantSource clock) {
    this.calls = calls;
    this.clock = clock;
  }

  Reply csv(Ask ask) {
    CallsResource.Page page = calls.page(ask, clock.instant(), MOST_ROWS, MOST_ROWS);
    List<String> columns = CallsResource.columns(ask.caller().seesPersonalData());
    StringBuilder text = new StringBuilder(String.join(",", columns)).append(LINE_END);
    for (Map<String, @Nullable Object> call : page.calls()) {
      text.append(
              columns.stream().map(name -> cell(call.get(name))).collect(Collectors.joining(",")))
          .append(LINE_END);
    }
    return reply(page, "text/csv; charset=utf-8", "calls.csv", text.toString().getBytes(UTF_8));
  }

  Reply ndjson(Ask ask) {
    CallsResource.Page page = calls.page(ask, clock.instant(), MOST_ROWS, MOST_ROWS);
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (Map<String, @Nullable Object> call : page.calls()) {
      lines.writeBytes(Json.bytes(call));
      lines.write('\n');
    }
    return reply(page, "application/x-ndjson", "calls.ndjson", lines.toByteArray());
  }

  private static Reply reply(CallsResource.Page page, String type, String name, byte[] body) {
    Map<String, String> headers = new HashMap<>();
    headers.put("Content-Disposition", "attachment; filename=\"" + name + "\"");
    String next = page.nextCursor();
    if (next != null) {
      headers.put("Capacity-Next-Cursor", next);
    }
    return new Reply(200, type, body, headers);
  }

  /** A value as RFC 4180 has it, and so that no spreadsheet takes it for a formula. */
  static String cell(@Nullable Object value) {
    if (value == null) {
      return "";
    }
    if (value instanceof Number || value instanceof Boolean || value instanceof java.time.Instant) {
      return value.toString();
    }
    String text =
        value instanceof Collection<?> list
            ? list.stream().map(String::valueOf).collect(Collectors.joining(" "))
            : value.toString();
    if (!text.isEmpty() && FORMULA_STARTS.indexOf(text.charAt(0)) >= 0) {
      text = "'" + text;
    }
    boolean quoted = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
    return quoted ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
