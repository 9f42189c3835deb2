package org.capacityobservatory.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.capacityobservatory.alarms.AlarmRule;
import org.capacityobservatory.alarms.AlarmRules;
import org.capacityobservatory.alarms.AlarmRulesException;
import org.capacityobservatory.alarms.AlarmsConfig;
import org.capacityobservatory.alarms.AlarmsProcess;
import org.capacityobservatory.alarms.EvaluatorConfig;
import org.capacityobservatory.alarms.Receiver;
import org.capacityobservatory.alarms.Receivers;
import org.capacityobservatory.alarms.RuleTests;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "alarms",
    description = "Checks, tries and runs the alarms.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      AlarmsCommand.Check.class,
      AlarmsCommand.Test.class,
      BacktestCommand.class,
      AlarmsCommand.Run.class
    })
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
      try {
        List<AlarmRule> rules = AlarmRules.read(files);
        System.out.println(rules.size() + " rules, in form");
        return 0;
      } catch (AlarmRulesException e) {
        e.problems().forEach(System.out::println);
        return 1;
      } catch (IOException e) {
        throw new CommandException("The rules can't be read: " + e, e);
      }
    }
  }

  @Command(
      name = "test",
      description = {
        "Runs tests of alarm rules: input series, and the alerts that fire at given times.",
        "Exit code 3 when an alert isn't as expected."
      },
      mixinStandardHelpOptions = true)
  static final class Test implements Callable<Integer> {
    @Parameters(
        paramLabel = "FILE",
        arity = "1..*",
        description = "Files of rule tests (YAML, promtool's shape).")
    private List<Path> files;

    @Override
    public Integer call() {
      boolean good = true;
      for (Path file : files) {
        good &= run(file);
      }
      return good ? 0 : 3;
    }

    private static boolean run(Path file) {
      try {
        RuleTests.Result result = RuleTests.run(file);
        result.failures().forEach(System.out::println);
        System.out.printf(
            "%s: %d checks, %d failed%n", file, result.checks(), result.failures().size());
        return result.failures().isEmpty();
      } catch (AlarmRulesException e) {
        throw new CommandException(String.valueOf(e.getMessage()), e);
      } catch (IOException e) {
        throw new CommandException(file + " can't be read: " + e, e);
      }
    }
  }

  @Command(
      name = "run",
      description = {
        "Evaluates the alarms and tells receivers. Any number may run: one is active, the others",
        "stand by."
      },
      mixinStandardHelpOptions = true)
  static final class Run implements Callable<Integer> {
    @Mixin private KafkaOptions kafka;
    @Mixin private ClickHouseOptions clickHouse;
    @Mixin private AlarmRuleOptions rules;
    @Mixin private MetricsOptions metrics;

    @Option(
        names = "--receivers",
        paramLabel = "FILE",
        description = "Who is told (YAML; default: this process's log).")
    private @Nullable Path receivers;

    @Override
    public Integer call() throws InterruptedException {
      List<AlarmRule> judged = rules.rules();
      AlarmsConfig config = config(judged);
      List<Receiver> told = receivers(judged);
      return RunningProcess.run(
          process -> {
            AlarmsProcess alarms =
                AlarmsProcess.start(config, told, metrics.registry(), InstantSource.system());
            process.onStop(alarms::close);
            metrics.serve();
            process.ready(Map.of());
            return alarms.failure();
          });
    }

    private AlarmsConfig config(List<AlarmRule> judged) {
      Map<String, String> client = new TreeMap<>(kafka.properties());
      client.put("bootstrap.servers", kafka.bootstrapServers());
      return new AlarmsConfig(
          judged,
          EvaluatorConfig.named(HostName.get() + "/" + ProcessHandle.current().pid()),
          clickHouse.config(),
          client);
    }

    private List<Receiver> receivers(List<AlarmRule> judged) {
      if (receivers == null) {
        return Receivers.logOnly(judged);
      }
      try {
        return Receivers.read(receivers, judged, InstantSource.system());
      } catch (AlarmRulesException e) {
        throw new UsageException(String.valueOf(e.getMessage()));
      } catch (IOException e) {
        throw new UsageException("The file of receivers " + receivers + " can't be read: " + e);
      }
    }
  }
}
