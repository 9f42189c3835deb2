package org.capacityobservatory.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "capacity",
    description = "Sees what a capacity limit would refuse before it refuses anything.",
    mixinStandardHelpOptions = true,
    versionProvider = CapacityCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      UpCommand.class,
      SummaryCommand.class,
      TopicsCommand.class,
      ShipCommand.class,
      StreamsCommand.class,
      WriteCommand.class,
      ApiCommand.class,
      TokenCommand.class,
      VerifyCommand.class,
      RecomputeCommand.class,
      SchemaCommand.class,
      AlarmsCommand.class,
      CalibrateCommand.class,
      GateCommand.class,
      ScorecardCommand.class,
      ForecastCommand.class
    },
    footer = {
      "",
      "Exit codes: 0 good, 1 failed, 2 wrong usage, 3 a negative verdict.",
      "Start here: capacity up"
    })
final class CapacityCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Name a command.");
  }

  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = CapacityCommand.class.getPackage().getImplementationVersion();
      return new String[] {"capacity " + (version == null ? "(not packaged)" : version)};
    }
  }
}
