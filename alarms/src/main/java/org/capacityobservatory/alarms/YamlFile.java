package org.capacityobservatory.alarms;

import java.io.Reader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
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

/** A YAML file being read: collects every problem, each with its file, line and remedy. */
final class YamlFile {
  private final String file;
  private final List<String> problems = new ArrayList<>();

  YamlFile(String file) {
    this.file = file;
  }

  /** The file's tree; null when there is none, which is a problem then. */
  @Nullable Node compose(Reader yaml, String startsWith) {
    try {
      Node root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(yaml);
      if (root == null) {
        problems.add(file + ":1: the file is empty; it starts with '" + startsWith + "'");
      }
      return root;
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      problems.add(file + ":" + line + ": this isn't YAML: " + e.getProblem());
    } catch (YAMLException e) {
      problems.add(file + ":1: this isn't text in UTF-8: " + e.getMessage());
    }
    return null;
  }

  int problemCount() {
    return problems.size();
  }

  void throwProblems() throws AlarmRulesException {
    if (!problems.isEmpty()) {
      throw new AlarmRulesException(problems);
    }
  }

  <T> @Nullable T required(
      Node owner, Map<String, Node> fields, String key, Function<String, T> read) {
    Node node = fields.get(key);
    if (node == null) {
      problem(owner, "'" + key + "' is missing");
      return null;
    }
    return scalar(node, key, read);
  }

  <T> T optional(Map<String, Node> fields, String key, Function<String, T> read, T otherwise) {
    Node node = fields.get(key);
    T value = node == null ? null : scalar(node, key, read);
    return value == null ? otherwise : value;
  }

  <T> @Nullable T scalar(Node node, String key, Function<String, T> read) {
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

  Map<String, String> texts(@Nullable Node node, String what) {
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

  List<Node> sequence(@Nullable Node node, String what) {
    if (node == null) {
      return List.of();
    }
    if (node instanceof SequenceNode list) {
      return list.getValue();
    }
    problem(node, "'" + what + "' must be a list");
    return List.of();
  }

  Map<String, Node> mapping(Node node, String what, @Nullable Set<String> known) {
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

  void problem(Node node, String words) {
    problems.add(
        String.format(Locale.ROOT, "%s:%d: %s", file, node.getStartMark().getLine() + 1, words));
  }
}
