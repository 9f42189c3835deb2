package org.capacityobservatory.alarms;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

/**
 * A file of rules: Prometheus's {@code groups}, each with a name and rules.
 *
 * <p>Reading collects every problem, each with its file, line and remedy. {@code
 * alarms/rules.schema.json} says the same to editors.
 */
public final class AlarmRules {
  static final Set<String> RULE_KEYS =
      Set.of(
          "alert",
          "expr",
          "for",
          "keep_firing_for",
          "clear",
          "min_calls",
          "no_data",
          "labels",
          "annotations");

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,79}");

  private final YamlFile yaml;
  private final List<AlarmRule> rules = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  private AlarmRules(YamlFile yaml) {
    this.yaml = yaml;
  }

  /** The files of the rules that come with this program. */
  static final List<String> SHIPPED =
      List.of("saturation.yaml", "refusals.yaml", "limiter.yaml", "pipeline.yaml");

  /** The rules that come with this program. */
  public static List<AlarmRule> shipped() {
    List<AlarmRule> all = new ArrayList<>();
    for (String file : SHIPPED) {
      try (Reader yaml =
          new InputStreamReader(
              Objects.requireNonNull(
                  AlarmRules.class.getResourceAsStream("/capacity/rules/" + file), file),
              UTF_8)) {
        all.addAll(parse(file, yaml));
      } catch (IOException | AlarmRulesException e) {
        throw new IllegalStateException("The shipped rules are held in form by a test", e);
      }
    }
    return List.copyOf(all);
  }

  /**
   * Reads files of rules; a name may stand only once in all of them.
   *
   * @throws AlarmRulesException naming every problem
   * @throws IOException when a file can't be read
   */
  public static List<AlarmRule> read(List<Path> files) throws AlarmRulesException, IOException {
    List<String> problems = new ArrayList<>();
    Map<String, Path> places = new LinkedHashMap<>();
    List<AlarmRule> all = new ArrayList<>();
    for (Path file : files) {
      try (Reader yaml = Files.newBufferedReader(file, UTF_8)) {
        for (AlarmRule rule : parse(file.toString(), yaml)) {
          Path before = places.put(rule.name(), file);
          if (before != null) {
            problems.add(
                file + ": alert " + rule.name() + " stands in " + before + " too: rename one");
          }
          all.add(rule);
        }
      } catch (AlarmRulesException e) {
        problems.addAll(e.problems());
      } catch (CharacterCodingException e) {
        problems.add(file + ":1: this isn't text in UTF-8: save it as such");
      }
    }
    if (!problems.isEmpty()) {
      throw new AlarmRulesException(problems);
    }
    return List.copyOf(all);
  }

  /**
   * Reads a file of rules.
   *
   * @param file the file's name, for messages
   * @param yaml its text
   * @return the rules, in the file's order
   * @throws AlarmRulesException naming every problem
   */
  public static List<AlarmRule> parse(String file, Reader yaml) throws AlarmRulesException {
    YamlFile reading = new YamlFile(file);
    AlarmRules into = new AlarmRules(reading);
    Node root = reading.compose(yaml, "groups:");
    if (root != null) {
      into.readRoot(root);
    }
    reading.throwProblems();
    return List.copyOf(into.rules);
  }

  private void readRoot(Node root) {
    Map<String, Node> top = yaml.mapping(root, "a file of rules", Set.of("groups"));
    Node groups = top.get("groups");
    if (groups == null) {
      yaml.problem(root, "'groups' is missing");
      return;
    }
    for (Node group : yaml.sequence(groups, "groups")) {
      Map<String, Node> fields = yaml.mapping(group, "a group", Set.of("name", "rules"));
      if (!fields.containsKey("name")) {
        yaml.problem(group, "the group has no name");
      }
      Node groupRules = fields.get("rules");
      if (groupRules == null) {
        yaml.problem(group, "the group has no rules");
      } else {
        yaml.sequence(groupRules, "rules").forEach(this::readRule);
      }
    }
  }

  private void readRule(Node node) {
    int before = yaml.problemCount();
    Map<String, Node> fields = yaml.mapping(node, "a rule", RULE_KEYS);
    String name = yaml.required(node, fields, "alert", AlarmRules::name);
    AlarmExpression expression = yaml.required(node, fields, "expr", AlarmExpression::parse);
    Duration holdFor = yaml.optional(fields, "for", Durations::parse, Duration.ZERO);
    Duration keep = yaml.optional(fields, "keep_firing_for", Durations::parse, Duration.ZERO);
    OptionalDouble clear =
        yaml.optional(
            fields,
            "clear",
            text -> OptionalDouble.of(Double.parseDouble(text)),
            OptionalDouble.empty());
    long minCalls = yaml.optional(fields, "min_calls", AlarmRules::count, 0L);
    AlarmRule.NoData noData =
        yaml.optional(fields, "no_data", AlarmRules::noData, AlarmRule.NoData.KEEP);
    Map<String, String> labels = yaml.texts(fields.get("labels"), "labels");
    Map<String, String> annotations = yaml.texts(fields.get("annotations"), "annotations");
    if (!annotations.containsKey("runbook")) {
      yaml.problem(node, "annotation 'runbook' is missing: say what the person paged should do");
    }
    checkTemplates(fields.get("annotations"), annotations, expression);
    if (name == null || expression == null) {
      return;
    }
    if (minCalls > 0 && !AlarmRule.RESTS_ON_CALLS.contains(expression.metric().kind())) {
      yaml.problem(
          node,
          "min_calls: %s counts things rather than a share of calls; leave min_calls out"
              .formatted(expression.metric().word()));
    }
    if (!names.add(name)) {
      yaml.problem(node, "alert " + name + " stands twice");
    }
    if (clear.isPresent()
        && !expression.comparison().isBehind(clear.getAsDouble(), expression.threshold())) {
      yaml.problem(
          node,
          "clear is %s: an alarm that starts at %s must end on the other side of it"
              .formatted(clear.getAsDouble(), expression.threshold()));
    }
    if (yaml.problemCount() == before) {
      rules.add(
          new AlarmRule(
              name, expression, holdFor, keep, clear, minCalls, noData, labels, annotations));
    }
  }

  private void checkTemplates(
      @Nullable Node node, Map<String, String> annotations, @Nullable AlarmExpression expression) {
    if (node == null || expression == null) {
      return;
    }
    annotations.forEach(
        (key, text) -> {
          try {
            Template.check(text, expression);
          } catch (IllegalArgumentException e) {
            yaml.problem(node, "annotation '" + key + "': " + e.getMessage());
          }
        });
  }

  private static AlarmRule.NoData noData(String word) {
    return switch (word) {
      case "ok" -> AlarmRule.NoData.OK;
      case "keep" -> AlarmRule.NoData.KEEP;
      case "alert" -> AlarmRule.NoData.ALERT;
      default -> throw new IllegalArgumentException("'" + word + "' isn't ok, keep or alert");
    };
  }

  private static String name(String text) {
    if (!NAME.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' must be letters, digits and _, at most 80, a letter first");
    }
    return text;
  }

  private static long count(String text) {
    long count = Long.parseLong(text);
    if (count < 0) {
      throw new IllegalArgumentException("it is " + count + ": at least 0");
    }
    return count;
  }
}
