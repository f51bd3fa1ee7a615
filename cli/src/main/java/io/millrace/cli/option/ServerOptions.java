package io.millrace.cli.option;

import io.millrace.MillraceException;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.place.ServerTarget;
import io.millrace.cli.text.Reason;
import io.millrace.client.ClientOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The server that a command asks, if it asks one: how each is to know the other. */
public final class ServerOptions {

  /** The words of a parameter that takes a database or a server, too. */
  public static final String OR_SERVER =
      ", or postgresql://HOST/DATABASE?schema=NAME; or a server, such as"
          + " millrace://localhost:7171.";

  private static final String SCHEME = "millrace://";
  private static final int TIMEOUT_SECONDS_MAX = 86_400;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      converter = PathConverter.class,
      description = "With a server, the file with the token that it knows you by.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--certificates",
      paramLabel = "FILE",
      converter = PathConverter.class,
      description = "With a server, speak TLS, and trust these certificates, in PEM.")
  private @Nullable Path certificates;

  @Option(
      names = "--tls",
      description = "With a server, speak TLS, and trust the certificates that this Java trusts.")
  private boolean isTls;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "With a server, how long to wait for an answer (default: 60).")
  private @Nullable Integer timeoutSeconds;

  /** Tells whether the argument is a server, and no store. */
  public static boolean isServer(String argument) {
    return argument.startsWith(SCHEME);
  }

  /**
   * Connects to the server, if the argument is one.
   *
   * @throws ParameterException the location, or an option, is wrong
   */
  public Optional<ServerTarget> connect(CommandLine command, @Nullable String argument) {
    if (argument == null || !isServer(argument)) {
      refuse(command, tokenFile != null, "--token-file needs a server, millrace://HOST:PORT");
      refuse(command, certificates != null, "--certificates needs a server, millrace://HOST:PORT");
      refuse(command, isTls, "--tls needs a server, millrace://HOST:PORT");
      refuse(command, timeoutSeconds != null, "--timeout needs a server, millrace://HOST:PORT");
      return Optional.empty();
    }
    refuse(command, isMatched(command, RunningOptions.PID), "say either a server or --pid");
    refuse(
        command,
        isMatched(command, LostCommitsOption.NAME),
        LostCommitsOption.NAME + " goes with a store that is opened here, not with a server");
    try {
      return Optional.of(ServerTarget.connect(argument, options(command)));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, withOptions(e), e);
    } catch (MillraceException e) {
      throw new CannotException(withOptions(e), e);
    }
  }

  /**
   * Returns the library's message with the names of options in place of the settings of a program.
   */
  private static String withOptions(RuntimeException e) {
    return String.valueOf(e.getMessage())
        .replace("set ClientOptions.token", "give --token-file")
        .replace("set ClientOptions.tls", "give --certificates or --tls");
  }

  private ClientOptions options(CommandLine command) {
    ClientOptions options = ClientOptions.DEFAULT;
    if (tokenFile != null) {
      options = options.token(token(command, tokenFile));
    }
    if (isTls) {
      options = options.tls();
    }
    if (certificates != null) {
      options = options.tls(certificates);
    }
    Integer seconds = timeoutSeconds;
    if (seconds != null) {
      refuse(
          command,
          seconds < 1 || seconds > TIMEOUT_SECONDS_MAX,
          "--timeout is from 1 to %d seconds: %d".formatted(TIMEOUT_SECONDS_MAX, seconds));
      options = options.callTimeout(Duration.ofSeconds(seconds));
    }
    return options;
  }

  private static String token(CommandLine command, Path file) {
    String token;
    try {
      token = Files.readString(file, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new CannotException("--token-file cannot be read: " + Reason.of(e), e);
    }
    refuse(
        command,
        token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c > '~'),
        "--token-file is to have a token, of letters, digits and signs, and nothing else: " + file);
    return token;
  }

  private static boolean isMatched(CommandLine command, String option) {
    return command.getParseResult().hasMatchedOption(option);
  }

  private static void refuse(CommandLine command, boolean isWrong, String message) {
    if (isWrong) {
      throw new ParameterException(command, message);
    }
  }
}
