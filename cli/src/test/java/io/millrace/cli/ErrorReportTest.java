package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CorruptDataException;
import io.millrace.api.EngineClosedException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.ExitCode;
import io.millrace.spi.FormatVersionException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreLockedException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

final class ErrorReportTest {

  @ParameterizedTest
  @MethodSource("errors")
  void ofExecution_anyError_saysWhatToDoWithoutATrace(Exception error, String message) {
    String err = report(error, "verify", "x");

    assertThat(err).isEqualToIgnoringNewLines("millrace: " + message);
  }

  static Stream<Arguments> errors() {
    return Stream.of(
        Arguments.of(new CannotException("no such queue: q"), "no such queue: q"),
        Arguments.of(
            new StoreLockedException("store is open: pid=7"),
            "locked: store is open: pid=7; close it there, then run the command again"),
        Arguments.of(
            new StoreLockedException("store is open: pid=7", 7),
            "locked: store is open: pid=7; ask the engine that has it open with --pid 7, or close"
                + " it there"),
        Arguments.of(
            new StoreFullException("store is full: folder=f"),
            "no room left: store is full: folder=f; make room, then run the command again"),
        Arguments.of(
            new OutcomeUnknownException("sync failed"),
            "the disk failed: sync failed; when it works, run the command again"),
        Arguments.of(
            new CorruptDataException("row is damaged: key=00"),
            "damaged data: row is damaged: key=00; 'millrace verify' lists all that is damaged"),
        Arguments.of(
            new FormatVersionException("not a store\u001b: folder=f"),
            "not a store\\u001b: folder=f"),
        Arguments.of(new EngineClosedException("engine is closed"), "engine is closed"),
        Arguments.of(
            new IllegalStateException("odd"),
            "internal error: java.lang.IllegalStateException: odd; --verbose shows where"));
  }

  @Test
  void ofExecution_verbose_showsWhere() {
    String err = report(new CannotException("no"), "verify", "x", "--verbose");

    assertThat(err)
        .startsWith("millrace: no" + System.lineSeparator())
        .contains("io.millrace.cli.command.CannotException: no")
        .contains("\tat io.millrace.cli.ErrorReportTest");
  }

  private static String report(Exception error, String... args) {
    StringWriter err = new StringWriter();
    CommandLine command = Main.commandLine().setErr(new PrintWriter(err));
    command.setExecutionStrategy(
        parsed -> {
          throw new CommandLine.ExecutionException(
              parsed.subcommand().commandSpec().commandLine(), "wrapped", error);
        });

    int exitCode = command.execute(args);

    assertThat(exitCode).isEqualTo(ExitCode.CANNOT);
    return err.toString();
  }
}
