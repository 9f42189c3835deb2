package org.capacityobservatory.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import org.capacityobservatory.api.Role;
import org.capacityobservatory.api.TokenFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "token",
    description = {
      "Makes, lists and revokes the tokens of the API.",
      "Once there is one, every request needs one; a running API notices changes at once."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {TokenCommand.Create.class, TokenCommand.Tell.class, TokenCommand.Revoke.class})
final class TokenCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Name a command: create, list or revoke.");
  }

  /** Where the tokens are kept. */
  static final class Where {
    @Option(
        names = "--data",
        paramLabel = "DIR",
        description =
            "The data directory, as given to the API or up (default: data/logs in the checkout).")
    private @Nullable Path data;

    TokenFile file() {
      Path directory = data == null ? Home.directory().resolve("data/logs") : data;
      Blank.refused("--data", List.of(directory.toString()));
      return new TokenFile(directory.resolve(TokenFile.NAME));
    }
  }

  @Command(
      name = "create",
      description = "Makes a token and prints it: it is kept nowhere and can't be shown again.",
      mixinStandardHelpOptions = true)
  static final class Create implements Callable<Integer> {
    enum Kind {
      VIEWER,
      OPERATOR,
      ADMIN
    }

    @Mixin private Where where;

    @Option(
        names = "--role",
        required = true,
        paramLabel = "viewer|operator|admin",
        description =
            "viewer: all but personal data; operator: also personal data, calibrations, views and"
                + " silences; admin: all.")
    private Kind role;

    @Option(
        names = "--name",
        paramLabel = "NAME",
        description = "Who or what will use it, to be read in logs (default: the role).")
    private @Nullable String name;

    @Override
    public Integer call() {
      Role given = Role.valueOf(role.name());
      return told(
          () -> {
            String token =
                where
                    .file()
                    .create(name == null ? given.word() : name, given, InstantSource.system());
            System.out.println(token);
          });
    }
  }

  @Command(
      name = "list",
      description = "Names the tokens with their roles; the tokens themselves are nowhere.",
      mixinStandardHelpOptions = true)
  static final class Tell implements Callable<Integer> {
    @Mixin private Where where;

    @Override
    public Integer call() {
      return told(
          () ->
              where
                  .file()
                  .list()
                  .forEach(
                      token ->
                          System.out.printf(
                              "%-24s %-9s %s%n",
                              token.name(), token.role().word(), token.createdAt())));
    }
  }

  @Command(
      name = "revoke",
      description = "Takes a token back; its sessions end with it.",
      mixinStandardHelpOptions = true)
  static final class Revoke implements Callable<Integer> {
    @Mixin private Where where;

    @Parameters(paramLabel = "NAME", description = "The token's name.")
    private String name;

    @Override
    public Integer call() {
      return told(() -> where.file().revoke(name));
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static int told(Work work) {
    try {
      work.run();
      return 0;
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new CommandException("The tokens can't be read or written: " + e.getMessage(), e);
    }
  }
}
