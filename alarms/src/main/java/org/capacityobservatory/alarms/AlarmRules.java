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
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A file of rules: Prometheus's {@code groups}, each with a name and rules.
 *
 * <p>Reading collects every problem, each with its file, line and remedy. {@code
 * alarms/rules.schema.json} says the same to editors.
 */
public final class AlarmRules {
  private static final Set<String> RULE_KEYS =
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

  private final String file;
  private final List<String> problems = new ArrayList<>();
  private final List<AlarmRule> rules = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  private AlarmRules(String file) {
    this.file = file;
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
    AlarmRules reading = new AlarmRules(file);
    try {
      Node root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(yaml);
      reading.readRoot(root);
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      reading.problems.add(file + ":" + line + ": this isn't YAML: " + e.getProblem());
    } catch (YAMLException e) {
      reading.problems.add(file + ":1: this isn't text in UTF-8: " + e.getMessage());
    }
    if (!reading.problems.isEmpty()) {
      throw new AlarmRulesException(reading.problems);
    }
    return List.copyOf(reading.rules);
  }

  private void readRoot(@Nullable Node root) {
    if (root == null) {
      problems.add(file + ":1: the file is empty; it starts with 'groups:'");
      return;
    }
    Map<String, Node> top = mapping(root, "a file of rules", Set.of("groups"));
    Node groups = top.get("groups");
    if (groups == null) {
      problem(root, "'groups' is missing");
      return;
    }
    for (Node group : sequence(groups, "groups")) {
      Map<String, Node> fields = mapping(group, "a group", Set.of("name", "rules"));
      if (!fields.containsKey("name")) {
        problem(group, "the group has no name");
      }
      Node groupRules = fields.get("rules");
      if (groupRules == null) {
        problem(group, "the group has no rules");
      } else {
        sequence(groupRules, "rules").forEach(this::readRule);
      }
    }
  }

  private void readRule(Node node) {
    int before = problems.size();
    Map<String, Node> fields = mapping(node, "a rule", RULE_KEYS);
    String name = required(node, fields, "alert", AlarmRules::name);
    AlarmExpression expression = required(node, fields, "expr", AlarmExpression::parse);
    Duration holdFor = optional(fields, "for", Durations::parse, Duration.ZERO);
    Duration keep = optional(fields, "keep_firing_for", Durations::parse, Duration.ZERO);
    OptionalDouble clear =
        optional(
            fields,
            "clear",
            text -> OptionalDouble.of(Double.parseDouble(text)),
            OptionalDouble.empty());
    long minCalls = optional(fields, "min_calls", AlarmRules::count, 0L);
    AlarmRule.NoData noData =
        optional(fields, "no_data", AlarmRules::noData, AlarmRule.NoData.KEEP);
    Map<String, String> labels = texts(fields.get("labels"), "labels");
    Map<String, String> annotations = texts(fields.get("annotations"), "annotations");
    if (!annotations.containsKey("runbook")) {
      problem(node, "annotation 'runbook' is missing: say what the person paged should do");
    }
    checkTemplates(fields.get("annotations"), annotations, expression);
    if (name == null || expression == null) {
      return;
    }
    if (minCalls > 0 && !AlarmRule.RESTS_ON_CALLS.contains(expression.metric().kind())) {
      problem(
          node,
          "min_calls: %s counts things rather than a share of calls; leave min_calls out"
              .formatted(expression.metric().word()));
    }
    if (!names.add(name)) {
      problem(node, "alert " + name + " stands twice");
    }
    if (clear.isPresent()
        && !expression.comparison().isBehind(clear.getAsDouble(), expression.threshold())) {
      problem(
          node,
          "clear is %s: an alarm that starts at %s must end on the other side of it"
              .formatted(clear.getAsDouble(), expression.threshold()));
    }
    if (problems.size() == before) {
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
            problem(node, "annotation '" + key + "': " + e.getMessage());
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

  private <T> @Nullable T required(
      Node rule, Map<String, Node> fields, String key, Function<String, T> read) {
    Node node = fields.get(key);
    if (node == null) {
      problem(rule, "'" + key + "' is missing");
      return null;
    }
    return scalar(node, key, read);
  }

  private <T> T optional(
      Map<String, Node> fields, String key, Function<String, T> read, T otherwise) {
    Node node = fields.get(key);
    T value = node == null ? null : scalar(node, key, read);
    return value == null ? otherwise : value;
  }

  private <T> @Nullable T scalar(Node node, String key, Function<String, T> read) {
    if (!(node instanceof ScalarNode scalar)) {
      problem(node, "'" + key + "' must be a single value");
      return null;
    }
    try {
      return read.apply(scalar.getValue());
    } catch (NumberFormatException e) {
      problem(node, "'" + key + "' is '" + scalar.getValue() + "', not a number");
      return null;
    } catch (IllegalArgumentException e) {
      problem(node, "'" + key + "': " + e.getMessage());
      return null;
    }
  }

  private Map<String, String> texts(@Nullable Node node, String what) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (node != null) {
      mapping(node, what, null)
          .forEach(
              (key, value) -> {
                String text = scalar(value, key, t -> t);
                if (text != null) {
                  texts.put(key, text);
                }
              });
    }
    return texts;
  }

  private List<Node> sequence(Node node, String what) {
    if (node instanceof SequenceNode list) {
      return list.getValue();
    }
    problem(node, "'" + what + "' must be a list");
    return List.of();
  }

  private Map<String, Node> mapping(Node node, String what, @Nullable Set<String> known) {
    Map<String, Node> fields = new LinkedHashMap<>();
    if (!(node instanceof MappingNode map)) {
      problem(node, what + " must be a mapping");
      return fields;
    }
    for (NodeTuple tuple : map.getValue()) {
      String key = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
      if (known != null && !known.contains(key)) {
        problem(
            tuple.getKeyNode(),
            "%s has no '%s'; it has %s".formatted(what, key, new TreeSet<>(known)));
      } else if (fields.put(key, tuple.getValueNode()) != null) {
        problem(tuple.getKeyNode(), "'" + key + "' stands twice");
      }
    }
    return fields;
  }

  private void problem(Node node, String words) {
    problems.add(
        String.format(Locale.ROOT, "%s:%d: %s", file, node.getStartMark().getLine() + 1, words));
  }
}
