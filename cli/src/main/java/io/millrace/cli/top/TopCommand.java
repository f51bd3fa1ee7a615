package io.millrace.cli.top;

import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.LiveTarget;
import io.millrace.cli.text.Terminal;
import io.millrace.console.text.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Shows again and again what a running engine does. */
@Command(
    name = "top",
    description = {
      "Shows what a running engine does: rates, depths, ages, group sizes, times of commits and"
          + " syncs.",
      "STORE is a folder whose engine runs on this machine, or a server.",
      "Refreshes the terminal each second; without a terminal the pages follow one another. Ctrl-C"
          + " ends it, and so does the end of whoever reads what it writes."
    })
public final class TopCommand extends MillraceCommand {

  private static final String HOME = "\u001b[H";
  private static final String CLEAR_LINE = "\u001b[K";
  private static final String CLEAR_BELOW = "\u001b[J";
  private static final int INTERVAL_SECONDS_MAX = 3_600;
  private static final int QUEUE_COUNT_MAX = 1_000;

  /** The name of the file in a store's folder that names the process which has it open. */
  private static final String LOCK_FILE = "LOCK";

  @Mixin private TargetOptions store = new TargetOptions();

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "How long between two pages (default: ${DEFAULT-VALUE}).")
  private double intervalSeconds;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "0",
      description = "Show so many pages and end; 0 for no end (default: ${DEFAULT-VALUE}).")
  private long count;

  @Option(names = "--once", description = "Show one page, as --count 1.")
  private boolean isOnce;

  @Option(
      names = "--queues",
      paramLabel = "N",
      defaultValue = "20",
      description = "Show at most so many queues, 0 to 1000 (default: ${DEFAULT-VALUE}).")
  private int queueCount;

  @Option(names = "--json", description = "Write one JSON document on a line for each page.")
  private boolean isJson;

  @Override
  public Integer call() {
    CommandLine command = command();
    check(command);
    long pages = isOnce ? 1 : count == 0 ? Long.MAX_VALUE : count;
    try (LiveTarget target = store.live(command).orElseGet(() -> store.attach(holder(command)))) {
      show(target, pages, command.getOut());
    }
    return ExitCode.OK;
  }

  private void check(CommandLine command) {
    if (!(intervalSeconds >= 0.1 && intervalSeconds <= INTERVAL_SECONDS_MAX)) {
      throw new ParameterException(
          command,
          "--interval is from 0.1 to %d seconds: %s"
              .formatted(INTERVAL_SECONDS_MAX, intervalSeconds));
    }
    if (count < 0) {
      throw new ParameterException(
          command, "--count is 0 for no end, or a number of pages: " + count);
    }
    if (isOnce && count > 1) {
      throw new ParameterException(command, "--once goes with no --count but 1: " + count);
    }
    if (queueCount < 0 || queueCount > QUEUE_COUNT_MAX) {
      throw new ParameterException(
          command, "--queues is from 0 to %d: %d".formatted(QUEUE_COUNT_MAX, queueCount));
    }
  }

  /** Returns the process that the folder's lock file names as having the store open. */
  private long holder(CommandLine command) {
    Path folder = store.folder().orElseThrow(() -> store.noFolder(command));
    CannotException none =
        new CannotException(
            "no engine has a store open there: " + Printable.text(folder.toString()));
    try {
      String pid = Files.readString(folder.resolve(LOCK_FILE), StandardCharsets.US_ASCII).strip();
      if (ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive).isPresent()) {
        return Long.parseLong(pid);
      }
    } catch (IOException | NumberFormatException e) {
      none.initCause(e);
    }
    throw none;
  }

  private void show(LiveTarget target, long pages, PrintWriter out) {
    String location = target.location();
    String title =
        location + (target.process().isPresent() ? "  pid " + target.process().getAsLong() : "");
    TopSample before = TopSample.of(target, queueCount);
    // Whoever reads the output may go: nobody is left to show anything to.
    for (long page = 0;
        page < pages && !out.checkError() && !Thread.currentThread().isInterrupted();
        page++) {
      waitUntil(before.atNs() + (long) (intervalSeconds * 1e9));
      TopSample now = TopSample.of(target, queueCount);
      if (isJson) {
        new TopJson(before, now, out).print(location, target.process());
      } else {
        printPage(new Page(before, now, title, page == 0), out);
      }
      out.flush();
      before = now;
    }
  }

  /** A page to be shown to people. */
  private record Page(TopSample before, TopSample now, String title, boolean isFirst) {}

  private static void printPage(Page page, PrintWriter out) {
    StringWriter text = new StringWriter();
    new TopScreen(page.before(), page.now(), new PrintWriter(text)).print(page.title());
    out.print(
        Terminal.isPresent()
            ? onScreen(text.toString(), page.isFirst())
            : text + System.lineSeparator());
  }

  /** Returns the page to be drawn over the last one, line by line, so that nothing flickers. */
  private static String onScreen(String text, boolean isFirst) {
    String lineEnd = System.lineSeparator();
    String page = HOME + text.replace(lineEnd, CLEAR_LINE + lineEnd) + CLEAR_BELOW;
    return isFirst ? HOME + CLEAR_BELOW + page : page;
  }

  private static void waitUntil(long atNs) {
    for (long leftNs = atNs - System.nanoTime();
        leftNs > 0 && !Thread.currentThread().isInterrupted();
        leftNs = atNs - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(leftNs, TimeUnit.SECONDS.toNanos(1)));
    }
  }
}
