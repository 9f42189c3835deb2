package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Tests of rules as data, in the shape of promtool's: input series, and the alerts that fire at
 * given times. docs/alarms.md has the form.
 *
 * <p>The n-th value of a series is what the n-th minute says; {@code eval_time: 3m} looks after
 * three minutes have been judged. A value is PART or PART/WHOLE; {@code _} says nothing; {@code
 * 1x4} is 1 and four more; {@code 1+2x4} goes up by 2 each time.
 */
public final class RuleTests {
  private static final Instant START = Instant.EPOCH;
  private static final int MOST_MINUTES = 100_000;
  private static final Pattern SERIES =
      Pattern.compile("(?<metric>[a-z0-9_]+)(?:\\{(?<labels>.*)\\})?");
  private static final Pattern LABEL =
      Pattern.compile("\\s*(?<name>[a-z_]+)\\s*=\\s*\"(?<value>[^\"]*)\"\\s*");
  private static final String NUMBER = "-?[0-9]+(?:\\.[0-9]+)?";
  private static final Pattern VALUE =
      Pattern.compile(
          "(?:(?<none>_)|(?<part>"
              + NUMBER
              + ")(?:/(?<whole>"
              + NUMBER
              + "))?(?<step>[+-][0-9]+(?:\\.[0-9]+)?)?)(?:x(?<more>[0-9]{1,5}))?");

  private record Series(Metric metric, Labels labels, List<@Nullable Sample> samples) {}

  private record Sample(double part, double whole) {}

  private record Expected(Map<String, String> labels, @Nullable Map<String, String> annotations) {}

  private record Check(Node node, Duration at, String alert, List<Expected> alerts) {}

  private final Path file;
  private final YamlFile yaml;
  private final List<String> failures = new ArrayList<>();
  private int checks;

  private RuleTests(Path file) {
    this.file = file;
    this.yaml = new YamlFile(file.toString());
  }

  /**
   * What came out.
   *
   * @param checks how many times alerts were looked at
   * @param failures where they weren't as expected: file, line, what was and what should be
   */
  public record Result(int checks, List<String> failures) {
    /** Keeps its own copy. */
    public Result {
      failures = List.copyOf(failures);
    }
  }

  /**
   * Runs a file of tests.
   *
   * @throws AlarmRulesException when the file, or a file of rules that it names, isn't in form
   * @throws IOException when one can't be read
   */
  public static Result run(Path file) throws AlarmRulesException, IOException {
    RuleTests tests = new RuleTests(file);
    Node root;
    try (Reader reader = Files.newBufferedReader(file, UTF_8)) {
      root = tests.yaml.compose(reader, "rule_files:");
    }
    if (root != null) {
      tests.runAll(root);
    }
    tests.yaml.throwProblems();
    return new Result(tests.checks, tests.failures);
  }

  private void runAll(Node root) throws AlarmRulesException, IOException {
    Map<String, Node> top =
        yaml.mapping(
            root, "a file of rule tests", Set.of("rule_files", "evaluation_interval", "tests"));
    requireMinute(top, "evaluation_interval");
    List<Path> files = new ArrayList<>();
    for (Node name : yaml.sequence(top.get("rule_files"), "rule_files")) {
      String text = yaml.scalar(name, "rule_files", t -> t);
      if (text != null) {
        files.add(file.toAbsolutePath().resolveSibling(text).normalize());
      }
    }
    if (files.isEmpty()) {
      yaml.problem(root, "'rule_files' is missing: name the files of rules that are tested");
      return;
    }
    List<AlarmRule> rules = AlarmRules.read(files);
    for (Node test : yaml.sequence(top.get("tests"), "tests")) {
      runOne(test, rules);
    }
  }

  private void requireMinute(Map<String, Node> fields, String key) {
    Duration interval = yaml.optional(fields, key, Durations::parse, AlarmMachine.STEP);
    Node node = fields.get(key);
    if (node != null && !interval.equals(AlarmMachine.STEP)) {
      yaml.problem(node, "'" + key + "' is always 1m here: rules are judged each minute");
    }
  }

  private void runOne(Node test, List<AlarmRule> rules) {
    Map<String, Node> fields =
        yaml.mapping(test, "a test", Set.of("name", "interval", "input_series", "alert_rule_test"));
    requireMinute(fields, "interval");
    String name = yaml.optional(fields, "name", t -> t, "test");
    List<Series> input = new ArrayList<>();
    for (Node node : yaml.sequence(fields.get("input_series"), "input_series")) {
      Series series = series(node);
      if (series != null) {
        input.add(series);
      }
    }
    List<Check> wanted = new ArrayList<>();
    for (Node node : yaml.sequence(fields.get("alert_rule_test"), "alert_rule_test")) {
      Check check = check(node, rules);
      if (check != null) {
        wanted.add(check);
      }
    }
    if (yaml.problemCount() == 0) {
      judge(name, rules, input, wanted);
    }
  }

  private @Nullable Series series(Node node) {
    Map<String, Node> fields = yaml.mapping(node, "an input series", Set.of("series", "values"));
    List<@Nullable Sample> samples = yaml.required(node, fields, "values", RuleTests::samples);
    Series series =
        yaml.required(
            node, fields, "series", text -> named(text, samples == null ? List.of() : samples));
    return samples == null ? null : series;
  }

  private static Series named(String text, List<@Nullable Sample> samples) {
    Matcher form = SERIES.matcher(text.strip());
    if (!form.matches()) {
      throw new IllegalArgumentException("'" + text + "' isn't METRIC{label=\"value\"}");
    }
    Metric metric =
        Metric.named(form.group("metric"))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no metric "
                            + form.group("metric")
                            + "; there are "
                            + Metric.names()));
    Map<String, String> labels = new TreeMap<>();
    String listed = form.group("labels");
    if (listed != null && !listed.isBlank()) {
      for (String part : listed.split(",", -1)) {
        Matcher label = LABEL.matcher(part);
        if (!label.matches() || !metric.labels().contains(label.group("name"))) {
          throw new IllegalArgumentException(
              "'" + part + "' isn't label=\"value\" with a label of " + metric.labels());
        }
        labels.put(label.group("name"), label.group("value"));
      }
    }
    return new Series(metric, Labels.of(labels), samples);
  }

  private static List<@Nullable Sample> samples(String text) {
    List<@Nullable Sample> samples = new ArrayList<>();
    for (String word : text.strip().split("\\s+", -1)) {
      Matcher value = VALUE.matcher(word);
      if (!value.matches()) {
        throw new IllegalArgumentException(
            "'" + word + "' isn't PART, PART/WHOLE or _, with xN for N more");
      }
      int more = value.group("more") == null ? 0 : Integer.parseInt(value.group("more"));
      if (samples.size() + more >= MOST_MINUTES) {
        throw new IllegalArgumentException("over " + MOST_MINUTES + " minutes");
      }
      for (int i = 0; i <= more; i++) {
        samples.add(sample(value, i));
      }
    }
    return samples;
  }

  private static @Nullable Sample sample(Matcher value, int times) {
    if (value.group("none") != null) {
      return null;
    }
    double step = value.group("step") == null ? 0 : Double.parseDouble(value.group("step"));
    String whole = value.group("whole");
    return new Sample(
        Double.parseDouble(value.group("part")) + times * step,
        whole == null ? 0 : Double.parseDouble(whole));
  }

  private @Nullable Check check(Node node, List<AlarmRule> rules) {
    Map<String, Node> fields =
        yaml.mapping(node, "an alert_rule_test", Set.of("eval_time", "alertname", "exp_alerts"));
    Duration at = yaml.required(node, fields, "eval_time", Durations::parse);
    String alert =
        yaml.required(
            node,
            fields,
            "alertname",
            text -> {
              if (rules.stream().noneMatch(rule -> rule.name().equals(text))) {
                throw new IllegalArgumentException("there is no alert " + text + " in rule_files");
              }
              return text;
            });
    List<Expected> expected = new ArrayList<>();
    for (Node one : yaml.sequence(fields.get("exp_alerts"), "exp_alerts")) {
      Map<String, Node> parts =
          yaml.mapping(one, "an expected alert", Set.of("exp_labels", "exp_annotations"));
      Node annotations = parts.get("exp_annotations");
      expected.add(
          new Expected(
              new TreeMap<>(yaml.texts(parts.get("exp_labels"), "exp_labels")),
              annotations == null
                  ? null
                  : new TreeMap<>(yaml.texts(annotations, "exp_annotations"))));
    }
    return at == null || alert == null ? null : new Check(node, at, alert, expected);
  }

  private void judge(String name, List<AlarmRule> rules, List<Series> input, List<Check> wanted) {
    long minutes = wanted.stream().mapToLong(check -> check.at().toMinutes()).max().orElse(0);
    Evaluation evaluation = new Evaluation(rules, Map.of());
    Map<SeriesKey, Transition> firing = new LinkedHashMap<>();
    look(name, rules, firing, wanted, 0);
    for (int i = 0; i < minutes; i++) {
      Instant minute = START.plus(AlarmMachine.STEP.multipliedBy(i));
      for (Metric metric : evaluation.needs().keySet()) {
        evaluation.remember(metric, minute, facts(input, metric, i, minute));
      }
      for (Metric.Clock clock : Metric.Clock.values()) {
        for (Transition transition : evaluation.judge(clock, minute)) {
          if (transition.isFiring()) {
            firing.put(transition.series(), transition);
          } else if (transition.isResolved()) {
            firing.remove(transition.series());
          }
        }
      }
      look(name, rules, firing, wanted, i + 1);
    }
  }

  private static List<Fact> facts(List<Series> input, Metric metric, int i, Instant minute) {
    List<Fact> facts = new ArrayList<>();
    for (Series series : input) {
      Sample sample =
          series.metric() == metric && i < series.samples().size() ? series.samples().get(i) : null;
      if (sample != null) {
        facts.add(new Fact(minute, series.labels(), sample.part(), sample.whole()));
      }
    }
    return facts;
  }

  private void look(
      String name,
      List<AlarmRule> rules,
      Map<SeriesKey, Transition> firing,
      List<Check> wanted,
      long minute) {
    for (Check check : wanted) {
      if (check.at().toMinutes() == minute) {
        checks++;
        rules.stream()
            .filter(rule -> rule.name().equals(check.alert()))
            .forEach(rule -> compare(name, check, rule, firing));
      }
    }
  }

  private void compare(
      String name, Check check, AlarmRule rule, Map<SeriesKey, Transition> firing) {
    Set<String> got = new TreeSet<>();
    Set<String> want = new TreeSet<>();
    List<Transition> fires =
        firing.values().stream().filter(t -> t.series().rule().equals(rule.name())).toList();
    fires.forEach(t -> got.add(labels(rule, t).toString()));
    check.alerts().forEach(e -> want.add(e.labels().toString()));
    if (!got.equals(want)) {
      fail(check, "%s: %s after %s: fires %s, expected %s", name, rule, got, want);
      return;
    }
    for (Expected expected : check.alerts()) {
      Map<String, String> annotations = expected.annotations();
      if (annotations != null) {
        fires.stream()
            .filter(t -> labels(rule, t).equals(expected.labels()))
            .forEach(t -> compareAnnotations(name, check, rule, t, annotations));
      }
    }
  }

  private void compareAnnotations(
      String name, Check check, AlarmRule rule, Transition transition, Map<String, String> wanted) {
    Map<String, String> got = new TreeMap<>(AlertLabels.annotations(rule, transition));
    if (!got.equals(wanted)) {
      fail(check, "%s: %s after %s: says %s, expected %s", name, rule, got, wanted);
    }
  }

  private void fail(
      Check check, String words, String name, AlarmRule rule, Object got, Object want) {
    failures.add(
        String.format(
            Locale.ROOT,
            "%s:%d: " + words,
            file,
            check.node().getStartMark().getLine() + 1,
            name,
            rule.name(),
            Durations.print(check.at()),
            got,
            want));
  }

  private static Map<String, String> labels(AlarmRule rule, Transition transition) {
    Map<String, String> labels = new TreeMap<>(AlertLabels.of(rule, transition.series()));
    labels.remove(Silence.ALERT_NAME);
    return labels;
  }
}
