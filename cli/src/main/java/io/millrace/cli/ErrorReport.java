package io.millrace.cli;

import io.millrace.MillraceException;
import io.millrace.api.CorruptDataException;
import io.millrace.api.EnginePoisonedException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.CommonOptions;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.NeedsStoreException;
import io.millrace.cli.demo.DemoException;
import io.millrace.cli.option.LostCommitsOption;
import io.millrace.cli.option.RunningOptions;
import io.millrace.cli.place.AttachException;
import io.millrace.cli.text.Reason;
import io.millrace.console.text.Printable;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions.LostCommits;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns what a command threw into a message on standard error and an exit code. */
final class ErrorReport {

  private static final String PREFIX = "millrace: ";
  private static final String ACCEPTING =
      LostCommits.class.getSimpleName() + "." + LostCommits.ACCEPT;

  private ErrorReport() {}

  static int ofUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(PREFIX + Printable.text(sentence(e)));
    UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try 'millrace" + pathBelowTop(command) + " --help'.");
    err.flush();
    return ExitCode.USAGE;
  }

  static int ofExecution(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    err.println(PREFIX + message(e, command));
    if (isVerbose(command.getParseResult())) {
      e.printStackTrace(err);
    }
    err.flush();
    return ExitCode.CANNOT;
  }

  private static boolean isVerbose(ParseResult parsed) {
    return parsed.hasMatchedOption(CommonOptions.VERBOSE);
  }

  private static String message(Exception e, CommandLine command) {
    if (e instanceof StoreLockedException locked) {
      return locked(locked, command);
    }
    if (e instanceof NeedsStoreException) {
      return "%s is a server, and this needs the store itself: run it on the server's machine, %s"
          .formatted(
              text(e),
              hasPid(command)
                  ? "with --pid of the server's process"
                  : "with the store's folder, when the server has ended");
    }
    if (e instanceof EnginePoisonedException) {
      return "the engine takes no changes: %s, by 'millrace reopen' on its machine"
          .formatted(text(e));
    }
    if (e instanceof StoreFullException) {
      return "no room left: %s; make room, then run the command again".formatted(text(e));
    }
    if (e instanceof OutcomeUnknownException) {
      return "the disk failed: %s; when it works, run the command again".formatted(text(e));
    }
    if (e instanceof CorruptDataException) {
      return "damaged data: %s; 'millrace verify' lists all that is damaged".formatted(text(e));
    }
    if (e instanceof UncheckedIOException io) {
      return "%s: %s".formatted(text(io), Reason.root(io));
    }
    boolean isExpected =
        e instanceof CannotException
            || e instanceof DemoException
            || e instanceof AttachException
            || e instanceof MillraceException;
    return isExpected
        ? withOption(text(e), command)
        : "internal error: %s; %s shows where".formatted(e, CommonOptions.VERBOSE);
  }

  private static boolean hasPid(CommandLine command) {
    return command.getCommandSpec().findOption(RunningOptions.PID) != null;
  }

  private static String locked(StoreLockedException e, CommandLine command) {
    return hasPid(command) && e.holderPid().isPresent()
        ? "locked: %s; ask the engine that has it open with %s %d, or close it there"
            .formatted(text(e), RunningOptions.PID, e.holderPid().getAsLong())
        : "locked: %s; close it there, then run the command again".formatted(text(e));
  }

  /**
   * Returns the library's message with the name of an option in place of the setting of a program.
   */
  private static String withOption(String text, CommandLine command) {
    boolean hasOption = command.getCommandSpec().findOption(LostCommitsOption.NAME) != null;
    return hasOption
        ? text.replace("open it with " + ACCEPTING, "give " + LostCommitsOption.NAME)
        : text;
  }

  private static String text(Exception e) {
    return Printable.text(Reason.plain(String.valueOf(e.getMessage())));
  }

  /**
   * Returns picocli's message, which ends without a full stop, without its capital at the
   * beginning.
   */
  private static String sentence(ParameterException e) {
    String message = String.valueOf(e.getMessage());
    boolean isWord = message.length() > 1 && Character.isLowerCase(message.charAt(1));
    return isWord ? Character.toLowerCase(message.charAt(0)) + message.substring(1) : message;
  }

  private static String pathBelowTop(CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    int space = name.indexOf(' ');
    return space < 0 ? "" : name.substring(space);
  }
}
