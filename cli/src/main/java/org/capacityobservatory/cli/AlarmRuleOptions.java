package org.capacityobservatory.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.capacityobservatory.alarms.AlarmRule;
import org.capacityobservatory.alarms.AlarmRules;
import org.capacityobservatory.alarms.AlarmRulesException;
import picocli.CommandLine.Option;

/** Which rules of alarms. */
final class AlarmRuleOptions {
  @Option(
      names = "--rules",
      paramLabel = "FILE",
      arity = "1..*",
      description = "Files of alarm rules (default: those that come with this program).")
  private List<Path> files = new ArrayList<>();

  List<AlarmRule> rules() {
    try {
      return files.isEmpty() ? AlarmRules.shipped() : AlarmRules.read(files);
    } catch (AlarmRulesException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new CommandException("The rules can't be read: " + e, e);
    }
  }
}
