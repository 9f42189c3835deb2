package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes a result for people: text, Markdown, and one HTML page that needs no network.
 *
 * <p>All three are made of the same sections; the first answers what would happen, to whom, how
 * sure, and what to set.
 */
public final class Report {
  private final CalibrationResult result;
  private final Summary summary;

  /** A report of a result. */
  public Report(CalibrationResult result) {
    this.result = result;
    this.summary = new Summary(result);
  }

  /** A table: heads, then rows of as many cells. */
  private record Table(String title, String note, List<String> heads, List<List<String>> rows) {}

  private List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    tables.add(figures());
    for (String dimension : List.of("single_row", "tier", "endpoint", "source")) {
      tables.add(byDimension(dimension));
    }
    tables.add(lanes());
    if (!result.bindings.isEmpty()) {
      tables.add(whichLane());
      tables.add(alternatives());
      tables.add(awareness());
      tables.add(pareto());
    }
    tables.add(whole());
    tables.add(people("Victims", "refused while they held less than a fair share", true));
    tables.add(people("Aggressors", "hold more than twice an equal share", false));
    tables.add(config());
    tables.add(model());
    tables.add(findings());
    return tables.stream().filter(t -> !t.rows().isEmpty()).toList();
  }

  private static List<String> row(String... cells) {
    return List.of(cells);
  }

  private static String form(Metric metric, double value) {
    String path = metric.path();
    if (metric.isShare()) {
      return Text.percent(value);
    }
    return path.startsWith("wait_s")
        ? Text.seconds(value)
        : path.contains("_ms") ? Text.millis(value) : Text.number(Math.rint(value));
  }

  private static final Map<Metric, String> NAMES = names();

  private static Map<Metric, String> names() {
    Map<Metric, String> names = new LinkedHashMap<>();
    names.put(Metric.REFUSED_CALLS_SHARE, "Calls refused at least once");
    names.put(Metric.REFUSED_ATTEMPTS, "Refused attempts");
    names.put(Metric.ATTEMPTS, "Attempts");
    names.put(Metric.WAIT_MEAN, "Added wait, mean");
    names.put(Metric.WAIT_P50, "Added wait, p50");
    names.put(Metric.WAIT_P95, "Added wait, p95");
    names.put(Metric.WAIT_P99, "Added wait, p99");
    names.put(Metric.WAIT_MAX, "Added wait, longest");
    names.put(Metric.HELD_P50, "Held time, p50");
    names.put(Metric.HELD_P95, "Held time, p95");
    names.put(Metric.QUEUE_P50, "Queue time as logged, p50");
    names.put(Metric.QUEUE_P95, "Queue time as logged, p95");
    names.put(Metric.GIVEN_UP_SHARE, "Calls given up");
    names.put(Metric.FAILED_SHARE, "Calls that fail");
    return names;
  }

  private Table figures() {
    List<List<String>> rows = new ArrayList<>();
    Forecast inForce = result.inForce;
    NAMES.forEach(
        (metric, name) -> {
          Estimate e = result.predicted.of(metric);
          rows.add(
              row(
                  name,
                  form(metric, e.value()),
                  form(metric, e.low()) + " to " + form(metric, e.high()),
                  inForce == null ? "" : form(metric, inForce.of(metric).value())));
        });
    return new Table(
        "What would happen",
        "Shadow mode itself logged "
            + Text.percent(result.shadowRefusedShare())
            + " of calls as refused: it overstates, since calls that would have been refused ran and"
            + " held slots.",
        List.of("", "predicted", "90 % interval", inForce == null ? "" : "config in force"),
        rows);
  }

  private Table byDimension(String dimension) {
    List<List<String>> rows = new ArrayList<>();
    result
        .predicted
        .byDimension()
        .getOrDefault(dimension, Map.of())
        .forEach(
            (value, metrics) -> {
              List<String> cells = new ArrayList<>();
              cells.add(value);
              cells.add(Long.toString(result.predicted.calls(dimension, value)));
              for (Metric metric :
                  List.of(
                      Metric.REFUSED_CALLS_SHARE,
                      Metric.WAIT_MEAN,
                      Metric.WAIT_P95,
                      Metric.GIVEN_UP_SHARE,
                      Metric.FAILED_SHARE)) {
                cells.add(form(metric, metrics.getOrDefault(metric, Estimate.NOTHING).value()));
              }
              rows.add(cells);
            });
    return new Table(
        "By " + dimension.replace('_', '-'),
        "",
        List.of("", "calls", "refused", "mean wait", "p95 wait", "given up", "fail"),
        rows);
  }

  private Table lanes() {
    List<List<String>> rows = new ArrayList<>();
    result
        .predicted
        .whole()
        .keySet()
        .forEach(
            name -> {
              if (name.startsWith("lanes.") && name.endsWith(".occupancy")) {
                String lane = name.substring(6, name.length() - 10);
                rows.add(
                    row(
                        lane,
                        Text.number(result.predicted.whole(name).value()),
                        Text.percent(
                            result.predicted.whole("lanes." + lane + ".time_at_limit").value()),
                        Text.number(result.predicted.whole("lanes." + lane + ".p999").value()),
                        Text.number(result.predicted.whole("lanes." + lane + ".peak").value())));
              }
            });
    return new Table(
        "Lanes", "", List.of("lane", "mean in flight", "time at limit", "p99.9", "peak"), rows);
  }

  private Table whichLane() {
    List<List<String>> rows = new ArrayList<>();
    for (Exploration.Binding b : result.bindings) {
      rows.add(row(b.lane(), Text.percent(b.alone()), Text.percent(b.together()), b.says()));
    }
    return new Table(
        "Which lane binds",
        "Share of refusals in which the lane was the only full one, or full beside others.",
        List.of("lane", "alone", "together", ""),
        rows);
  }

  private Table alternatives() {
    List<List<String>> rows = new ArrayList<>();
    for (Exploration.Alternative a : result.alternatives) {
      rows.add(
          row(
              a.title(),
              Text.seconds(a.forecast().of(Metric.WAIT_MEAN).value()),
              Text.percent(a.forecast().of(Metric.REFUSED_CALLS_SHARE).value()),
              Text.percent(
                  a.forecast().of("single_row", "true", Metric.REFUSED_CALLS_SHARE).value()),
              Text.number(Math.rint(a.forecast().of(Metric.REFUSED_ATTEMPTS).value()))));
    }
    return new Table(
        "Fixes under discussion beside limit changes",
        "The least mean wait first; as asked it is "
            + Text.seconds(result.predicted.of(Metric.WAIT_MEAN).value())
            + ".",
        List.of("change", "mean wait", "refused", "single-row refused", "refused attempts"),
        rows);
  }

  private Table awareness() {
    List<List<String>> rows = new ArrayList<>();
    result.awareDependence.forEach(
        (sources, f) ->
            rows.add(
                row(
                    sources.isEmpty() ? "none" : String.join(", ", sources),
                    Text.percent(f.of(Metric.REFUSED_CALLS_SHARE).value()),
                    Text.percent(f.of(Metric.FAILED_SHARE).value()),
                    Text.seconds(f.of(Metric.WAIT_MEAN).value()))));
    return new Table(
        "How far the answer depends on which clients know 429s",
        "Shadow lines don't say it.",
        List.of("aware sources", "refused", "fail", "mean wait"),
        rows);
  }

  private Table pareto() {
    List<List<String>> rows = new ArrayList<>();
    Exploration.Recommendation r = result.recommendation;
    if (r != null) {
      for (Exploration.Candidate c : r.pareto()) {
        rows.add(
            row(
                c.changes().isEmpty() ? "as in force" : ConfigText.setCommand(c.changes()),
                Text.number(c.forecast().whole("heavy_in_flight.p999").value()),
                Text.seconds(c.forecast().of(Metric.WAIT_MEAN).value()),
                Text.percent(c.forecast().of(Metric.REFUSED_CALLS_SHARE).value())));
      }
    }
    return new Table(
        "Configs that keep the constraints and that no other beats",
        r == null
            ? ""
            : "Constraints: "
                + String.join("; ", r.constraints().stream().map(Constraint::toString).toList())
                + ".",
        List.of("config", "heavy in flight p99.9", "mean wait", "refused"),
        rows);
  }

  private Table whole() {
    List<List<String>> rows = new ArrayList<>();
    Map<String, String> names = new LinkedHashMap<>();
    names.put("heavy_in_flight.peak", "Most heavy calls in flight");
    names.put("heavy_in_flight.p999", "Heavy calls in flight, p99.9 of the time");
    names.put("run_slowdown", "Runs take so many times as long");
    names.put("retry_amplification", "Attempts for each call");
    names.put("allowance.burnt_by_retries", "$match allowance burnt by refused attempts");
    names.put("allowance.most_used_in_a_day", "Most allowance one user uses in a day (of 5000)");
    names.put("fairness.longest_refused_streak", "Longest streak of refusals of one user");
    names.put("fairness.refused_within_fair_share", "Refusals of users within a fair share");
    names.forEach(
        (name, title) -> {
          Estimate e = result.predicted.whole(name);
          rows.add(
              row(
                  title,
                  Text.number(e.value()),
                  Text.number(e.low()) + " to " + Text.number(e.high())));
        });
    int workers = result.calibration.options().workers();
    int tasks = result.calibration.demand().tasks().size();
    return new Table(
        "Workers, runs and retries",
        workers == 0 ? "" : "There are " + workers * tasks + " workers in all.",
        List.of("", "predicted", "90 % interval"),
        rows);
  }

  private Table people(String title, String note, boolean victims) {
    List<List<String>> rows = new ArrayList<>();
    for (CalibrationResult.UserFairness u : victims ? result.victims() : result.aggressors()) {
      rows.add(
          row(
              u.user(),
              Text.number(u.withinFairShare()),
              Text.number(u.streak()),
              Text.seconds(u.heldSeconds())));
    }
    return new Table(
        title,
        note,
        List.of("user", "refused within fair share", "longest streak", "held in all"),
        rows);
  }

  private Table config() {
    List<List<String>> rows = new ArrayList<>();
    Map<String, Object> now = result.calibration.inForce().last().paths();
    result
        .calibration
        .candidate()
        .last()
        .paths()
        .forEach(
            (path, value) ->
                rows.add(
                    row(
                        path,
                        String.valueOf(now.getOrDefault(path, "–")),
                        String.valueOf(value),
                        result.calibration.inForce().assumed().contains(path)
                            ? "not in the lines: the starting config's"
                            : "")));
    int steps = result.calibration.inForce().steps().size();
    return new Table(
        "Config",
        steps > 1
            ? "The config in force changed "
                + (steps - 1)
                + " times in the period; the last is shown."
            : "Read from the lines.",
        List.of("value", "in force", "asked", ""),
        rows);
  }

  private Table model() {
    ServiceModel s = result.calibration.demand().service();
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        row(
            "Stretch",
            switch (s.shape()) {
              case FLAT -> "none seen";
              case LINEAR -> "1 + k·(n − 1)";
              case HINGE -> "1 + k·max(0, n − " + s.knee() + ")";
              case POWER -> "n to the power k";
            }));
    for (ServiceModel.Coefficient g : s.groups()) {
      rows.add(
          row("k of " + g.name(), Text.number(g.k()) + " ± " + Text.number(g.standardError())));
    }
    rows.add(row("n counts", s.driver().name().toLowerCase(Locale.ROOT)));
    rows.add(row("Explains of the variance within classes", Text.percent(s.explained())));
    rows.add(row("Fitted on", s.samples() + " calls, n from " + s.lowest() + " to " + s.highest()));
    rows.add(
        row(
            "Self-check: shadow refusals, replayed / logged",
            Text.percent(result.selfCheck.whole("shadow_refused_share").value())
                + " / "
                + Text.percent(result.shadowRefusedShare())));
    rows.add(
        row(
            "Limiter's counts that agree with its log",
            Text.percent(result.calibration.audit().agreeingShare())));
    return new Table("The model", "How held time stretches with concurrency.", row("", ""), rows);
  }

  private Table findings() {
    List<List<String>> rows = new ArrayList<>();
    for (Finding f : result.calibration.findings()) {
      rows.add(row(f.weight().name().toLowerCase(Locale.ROOT), f.code(), f.text()));
    }
    return new Table("The evidence", "", List.of("weight", "code", ""), rows);
  }

  // ---- Text and Markdown ----------------------------------------------------------------------

  /** Plain text for a terminal. */
  public String text() {
    StringBuilder out = new StringBuilder();
    summary.sentences().forEach(sentence -> out.append(sentence).append('\n'));
    for (Table table : tables()) {
      out.append('\n').append(table.title()).append('\n');
      if (!table.note().isEmpty()) {
        out.append("  ").append(table.note()).append('\n');
      }
      int[] width = new int[table.heads().size()];
      List<List<String>> all = new ArrayList<>();
      all.add(table.heads());
      all.addAll(table.rows());
      for (List<String> cells : all) {
        for (int i = 0; i < cells.size(); i++) {
          width[i] = Math.max(width[i], cells.get(i).length());
        }
      }
      for (List<String> cells : all) {
        StringBuilder line = new StringBuilder("  ");
        for (int i = 0; i < cells.size(); i++) {
          line.append(cells.get(i));
          line.append(" ".repeat(width[i] - cells.get(i).length() + 2));
        }
        String stripped = line.toString().stripTrailing();
        if (!stripped.isEmpty()) {
          out.append(stripped).append('\n');
        }
      }
    }
    return out.toString();
  }

  /** Markdown. */
  public String markdown() {
    StringBuilder out = new StringBuilder("# What these limits would do\n\n");
    List<String> heads = List.of("What would happen", "To whom", "How sure", "What to set");
    List<String> sentences = summary.sentences();
    for (int i = 0; i < heads.size(); i++) {
      out.append("**").append(heads.get(i)).append(".** ");
      out.append(markdownText(sentences.get(i))).append("\n\n");
    }
    for (Table table : tables()) {
      out.append("## ").append(table.title()).append("\n\n");
      if (!table.note().isEmpty()) {
        out.append(markdownText(table.note())).append("\n\n");
      }
      markdownRow(out, table.heads());
      out.append("|").append(" --- |".repeat(table.heads().size())).append('\n');
      table.rows().forEach(cells -> markdownRow(out, cells));
      out.append('\n');
    }
    return out.toString();
  }

  private static void markdownRow(StringBuilder out, List<String> cells) {
    out.append('|');
    cells.forEach(cell -> out.append(' ').append(markdownText(cell)).append(" |"));
    out.append('\n');
  }

  /** Words of the lines (sources, tasks) may hold anything. */
  private static String markdownText(String text) {
    return escape(text).replace("|", "\\|").replace("\n", " ").replace("`", "\\`");
  }

  // ---- HTML -----------------------------------------------------------------------------------

  private static final String STYLE =
      """
      body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1.5rem;
       color:#1a2230;background:#fff}
      h1{font-size:1.6rem;margin:0 0 1rem}h2{font-size:1.1rem;margin:2rem 0 .3rem}
      .answers{display:grid;grid-template-columns:repeat(auto-fit,minmax(17rem,1fr));gap:1rem}
      .answers section{border:1px solid #c9d1dc;border-radius:8px;padding:1rem}
      .answers h2{margin:0 0 .4rem;color:#0b5cad}
      .blocked{background:#fdecea;border:2px solid #b3261e;border-radius:8px;padding:1rem;
       margin-bottom:1rem}
      table{border-collapse:collapse;margin:.4rem 0}td,th{text-align:left;vertical-align:top;
       padding:.2rem .8rem .2rem 0;border-bottom:1px solid #e3e8ee}
      .note{color:#53606f;margin:.2rem 0}.plots{display:flex;flex-wrap:wrap;gap:1rem}
      figure{margin:0}figcaption{font-size:.85rem}
      """;

  /** One page with its plots, without scripts and without anything from a network. */
  public String html() {
    StringBuilder out = new StringBuilder();
    out.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    out.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    out.append("<title>What these limits would do</title><style>").append(STYLE);
    out.append("</style></head><body>\n<h1>What these limits would do</h1>\n");
    for (String why : result.cannotConclude()) {
      out.append("<p class=\"blocked\">").append(escape(why)).append("</p>\n");
    }
    List<String> heads = List.of("What would happen", "To whom", "How sure", "What to set");
    List<String> sentences = summary.sentences();
    out.append("<div class=\"answers\">\n");
    for (int i = 0; i < heads.size(); i++) {
      out.append("<section><h2>").append(heads.get(i)).append("</h2><p>");
      out.append(escape(sentences.get(i))).append("</p></section>\n");
    }
    out.append("</div>\n");
    plots(out);
    for (Table table : tables()) {
      htmlTable(out, table);
    }
    out.append("<p class=\"note\">capacity calibrate ").append(CalibrationResult.VERSION);
    out.append(", seed ").append(result.calibration.options().seed()).append("</p>\n");
    return out.append("</body></html>\n").toString();
  }

  private void htmlTable(StringBuilder out, Table table) {
    out.append("<h2>").append(escape(table.title())).append("</h2>\n");
    if (!table.note().isEmpty()) {
      out.append("<p class=\"note\">").append(escape(table.note())).append("</p>\n");
    }
    out.append("<table><tr>");
    table.heads().forEach(h -> out.append("<th>").append(escape(h)).append("</th>"));
    out.append("</tr>\n");
    for (List<String> cells : table.rows()) {
      out.append("<tr>");
      cells.forEach(c -> out.append("<td>").append(escape(c)).append("</td>"));
      out.append("</tr>\n");
    }
    out.append("</table>\n");
  }

  private void plots(StringBuilder out) {
    if (result.curves.isEmpty()) {
      return;
    }
    out.append("<h2>Each limit from 1 to where it stops mattering</h2>\n");
    out.append("<p class=\"note\">Blue: calls refused at least once; orange: single-row calls. ");
    out.append("The dotted line is the limit asked about.</p>\n<div class=\"plots\">\n");
    Map<String, Object> asked = result.calibration.candidate().last().paths();
    result.curves.forEach((path, points) -> plot(out, path, points, asked.get(path)));
    out.append("</div>\n");
  }

  private static final int WIDTH = 260;
  private static final int HEIGHT = 150;
  private static final int MARGIN = 32;

  private static void plot(
      StringBuilder out,
      String path,
      List<Exploration.Point> points,
      @org.jspecify.annotations.Nullable Object asked) {
    int first = points.get(0).value();
    int last = points.get(points.size() - 1).value();
    out.append("<figure><svg role=\"img\" width=\"").append(WIDTH).append("\" height=\"");
    out.append(HEIGHT).append("\" aria-label=\"").append(escape(path)).append("\">");
    for (int percent = 0; percent <= 100; percent += 50) {
      int y = y(percent / 100.0);
      out.append("<line x1=\"").append(MARGIN).append("\" x2=\"").append(WIDTH - 8);
      out.append("\" y1=\"").append(y).append("\" y2=\"").append(y);
      out.append("\" stroke=\"#d5dbe3\"/><text x=\"2\" y=\"").append(y + 4);
      out.append("\" font-size=\"10\">").append(percent).append("%</text>");
    }
    if (asked instanceof Integer value && value >= first && value <= last) {
      int x = x(value, first, last);
      out.append("<line x1=\"").append(x).append("\" x2=\"").append(x).append("\" y1=\"8\" y2=\"");
      out.append(HEIGHT - 20).append("\" stroke=\"#53606f\" stroke-dasharray=\"3 3\"/>");
    }
    line(out, points, first, last, "#0b5cad", false);
    line(out, points, first, last, "#c9640c", true);
    for (int value : new int[] {first, last}) {
      out.append("<text font-size=\"10\" x=\"").append(x(value, first, last) - 4);
      out.append("\" y=\"").append(HEIGHT - 6).append("\">").append(value).append("</text>");
    }
    out.append("</svg><figcaption>").append(escape(path)).append("</figcaption></figure>\n");
  }

  private static void line(
      StringBuilder out,
      List<Exploration.Point> points,
      int first,
      int last,
      String colour,
      boolean singleRow) {
    StringBuilder path = new StringBuilder();
    for (Exploration.Point point : points) {
      double share =
          singleRow
              ? point.forecast().of("single_row", "true", Metric.REFUSED_CALLS_SHARE).value()
              : point.forecast().of(Metric.REFUSED_CALLS_SHARE).value();
      if (!Double.isNaN(share)) {
        path.append(path.length() == 0 ? "" : " ");
        path.append(x(point.value(), first, last)).append(',').append(y(share));
      }
    }
    out.append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"").append(colour);
    out.append("\" points=\"").append(path).append("\"/>");
  }

  private static int x(int value, int first, int last) {
    return MARGIN + (WIDTH - 8 - MARGIN) * (value - first) / Math.max(1, last - first);
  }

  private static int y(double share) {
    return 8 + (int) Math.round((HEIGHT - 28) * (1 - share));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
