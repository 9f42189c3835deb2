package org.capacityobservatory.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** What editors are told of the form of rules is what the parser holds them to. */
class AlarmRulesSchemaTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String RULE =
      """
      groups:
        - name: g
          rules:
            - alert: A
              expr: refused_share[5m] > 0.5
              annotations: {runbook: x}
      """;

  private static String text;
  private static Schema schema;

  @BeforeAll
  static void read() throws IOException {
    text = Files.readString(Path.of("rules.schema.json"));
    schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(text, InputFormat.JSON);
  }

  @Test
  void everyShippedFileIsRightByBoth() throws IOException {
    for (String file : AlarmRules.SHIPPED) {
      assertThat(isRightBySchema(Files.readString(Path.of("rules", file)))).as(file).isTrue();
    }
    assertThat(isRightBySchema(RULE)).isTrue();
    assertThat(isRightByParser(RULE)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alert: A|alert: 'a b'",
        "alert: A|alarm: A",
        "expr: refused_share[5m] > 0.5|expr: refused_shares[5m] > 0.5",
        "expr: refused_share[5m] > 0.5|expr: refused_share > 0.5",
        "expr: refused_share[5m] > 0.5|expr: refused_share[5m] == 0.5",
        "expr: refused_share[5m] > 0.5|for: 5m",
        "annotations: {runbook: x}|annotations: {summary: x}",
        "annotations: {runbook: x}|labels: {a: b}",
        "annotations: {runbook: x}|annotations: {runbook: x}, for: soon",
        "name: g|title: g",
        "groups:|group:"
      })
  void whatTheParserRefusesTheSchemaRefusesToo(String change) {
    String[] parts = change.split("\\|", -1);
    String changed = RULE.replace(parts[0], parts[1].replace(", for", "\n        for"));
    assertThat(isRightByParser(changed)).isFalse();
    assertThat(isRightBySchema(changed)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "for: 90s",
        "keep_firing_for: 1h30m",
        "clear: 0.25",
        "min_calls: 20",
        "no_data: ok",
        "no_data: perhaps",
        "min_calls: many",
        "min_calls: -1",
        "clear: low",
        "for: 5 minutes",
        "labels: {severity: page}",
        "labels: page",
        "fore: 3m"
      })
  void bothSayTheSameOfEveryOptionalKey(String line) {
    String changed = RULE + "        " + line + "\n";
    assertThat(isRightBySchema(changed)).isEqualTo(isRightByParser(changed));
  }

  @Test
  void bothKnowTheSameMetricsAndKeys() throws IOException {
    JsonNode rule = JSON.readTree(text).at("/$defs/rule/properties");
    Matcher names =
        Pattern.compile("\\(([a-z0-9_|]+)\\)").matcher(rule.at("/expr/pattern").asText());
    assertThat(names.find()).isTrue();
    assertThat(new TreeSet<>(Arrays.asList(names.group(1).split("\\|", -1))))
        .isEqualTo(Metric.names());
    Set<String> keys = new TreeSet<>();
    rule.fieldNames().forEachRemaining(keys::add);
    assertThat(keys).isEqualTo(AlarmRules.RULE_KEYS);
  }

  private static boolean isRightBySchema(String yaml) {
    Object tree = new Yaml().load(yaml);
    return schema.validate(JSON.valueToTree(tree).toString(), InputFormat.JSON).isEmpty();
  }

  private static boolean isRightByParser(String yaml) {
    try {
      return !AlarmRules.parse("r.yaml", new StringReader(yaml)).isEmpty();
    } catch (AlarmRulesException e) {
      return false;
    }
  }
}
