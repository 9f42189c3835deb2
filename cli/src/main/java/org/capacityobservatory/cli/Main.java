package org.capacityobservatory.cli;

import org.capacityobservatory.shipper.ShipperConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/**
 * Runs the command line and ends with its exit code: 0 good, 1 failed, 2 wrong usage, 3 negative.
 */
public final class Main {
  private static final Logger log = LoggerFactory.getLogger(Main.class);

  private static final String LIBRARY_LOGGING = "org.jboss.logging.provider";

  private Main() {}

  /** Runs one command. */
  public static void main(String[] arguments) {
    // A library's logging would else find Log4j's API, which the broker brings, and nothing behind.
    if (System.getProperty(LIBRARY_LOGGING) == null) {
      System.setProperty(LIBRARY_LOGGING, "slf4j");
    }
    System.exit(run(arguments));
  }

  static int run(String... arguments) {
    return new CommandLine(new CapacityCommand())
        .setExecutionExceptionHandler(Main::tell)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .execute(arguments);
  }

  /** What we know is said in one sentence; what we don't know comes with its trace. */
  private static int tell(Exception e, CommandLine command, ParseResult parsed) {
    String name = nameOf(parsed);
    if (e instanceof UsageException || e instanceof ShipperConfigException) {
      command.getErr().println(e.getMessage());
      command.getErr().println("See: " + name + " --help");
      return CommandLine.ExitCode.USAGE;
    }
    if (Sentences.isSentence(e)) {
      command.getErr().println(e.getMessage());
      log.debug("The whole story", e);
    } else {
      log.error("{} failed", name, e);
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static String nameOf(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    return last.commandSpec().qualifiedName();
  }
}
