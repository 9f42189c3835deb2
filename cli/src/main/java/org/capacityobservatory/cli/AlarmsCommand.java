package org.capacityobservatory.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.capacityobservatory.alarms.AlarmRule;
import org.capacityobservatory.alarms.AlarmRules;
import org.capacityobservatory.alarms.AlarmRulesException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "alarms",
    description = "Works with alarm rules.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = AlarmsCommand.Check.class)
final class AlarmsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Name a command.");
  }

  @Command(
      name = "check",
      description = "Checks the form of files of alarm rules; names file, line and remedy.",
      mixinStandardHelpOptions = true)
  static final class Check implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files of alarm rules (YAML).")
    private List<Path> files;

    @Override
    public Integer call() {
      boolean good = true;
      for (Path file : files) {
        good &= check(file);
      }
      return good ? 0 : 1;
    }

    private static boolean check(Path file) {
      try (Reader yaml = Files.newBufferedReader(file)) {
        List<AlarmRule> rules = AlarmRules.parse(file.toString(), yaml);
        System.out.println(file + ": " + rules.size() + " rules, in form");
        return true;
      } catch (AlarmRulesException e) {
        e.problems().forEach(System.out::println);
        return false;
      } catch (IOException e) {
        throw new CommandException(file + " can't be read: " + e, e);
      }
    }
  }
}
