package io.millrace.cli.pages;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.cli.command.ExitCode;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.Printable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Damaged rows that a command met while it read: reported at its end, beside all that could be
 * read. For one thread.
 */
public final class Damage {

  private static final int TOLD_COUNT_MAX = 100;

  /** The end of the message of a page that begins with a damaged row. */
  private static final Pattern GO_ON =
      Pattern.compile(", go on behind it with cursor=([A-Za-z0-9_-]+)$");

  private final List<String> findings = new ArrayList<>();
  private long count;

  /** Returns all items of the lists of these queues except those that cannot be read. */
  public <T> Iterator<T> pages(
      List<QueueName> queues, BiFunction<QueueName, PageRequest, Page<T>> list) {
    return new Concatenation<>(
        queues.stream()
            .map(
                queue ->
                    pages(
                        "job cannot be read: ",
                        "queue cannot be read: ",
                        queue.toString(),
                        page -> list.apply(queue, page)))
            .iterator());
  }

  /** Returns all rows of a table except those that cannot be read. */
  public <T> Iterator<T> rows(String table, Function<PageRequest, Page<T>> list) {
    return pages("row cannot be read: ", "table cannot be read: ", table, list);
  }

  private <T> Iterator<T> pages(
      String ofOne, String ofAll, String name, Function<PageRequest, Page<T>> list) {
    return new Pages<>(
        list,
        damage -> {
          String message = String.valueOf(damage.getMessage());
          Matcher goOn = GO_ON.matcher(message);
          boolean isOneRow = goOn.find();
          add((isOneRow ? ofOne : ofAll) + name + ": " + goOn.replaceFirst(""));
          return isOneRow ? Optional.of(goOn.group(1)) : Optional.empty();
        });
  }

  /** Returns the answer about a queue; empty if the queue is damaged. */
  public <T> Optional<T> unlessCorrupt(QueueName queue, Supplier<T> question) {
    try {
      return Optional.of(question.get());
    } catch (CorruptDataException e) {
      add("queue cannot be read: " + queue + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  /** Adds a finding. */
  public void add(String finding) {
    count++;
    if (findings.size() < TOLD_COUNT_MAX) {
      findings.add(finding);
    }
  }

  /** Prints all findings, and returns the exit code with which the command ends. */
  public int tell(PrintWriter err) {
    findings.forEach(finding -> err.println("millrace: " + Printable.text(finding)));
    if (count > findings.size()) {
      err.printf(
          "millrace: and %s that cannot be read; 'millrace verify' lists what is damaged%n",
          Amounts.count(count - findings.size(), "more row"));
    }
    err.flush();
    return count == 0 ? ExitCode.OK : ExitCode.FINDINGS;
  }
}
