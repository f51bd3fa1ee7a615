package io.millrace.cli.queue;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.cli.text.TextTable;
import io.millrace.cli.text.TextTable.Align;
import io.millrace.console.text.Amounts;
import io.millrace.describe.Kind;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Shows queues: one on a line, or one with all that is known of it. */
public final class QueueListing {

  private static final String UNKNOWN = "?";

  /**
   * The number of cells beside those of states: completed jobs, age of the oldest ready one,
   * serving.
   */
  private static final int CELLS_BESIDE_STATES = 3;

  private static final Set<JobState> ALWAYS_SHOWN =
      EnumSet.of(JobState.READY, JobState.DELAYED, JobState.LEASED, JobState.DEAD);

  private final PrintWriter out;

  public QueueListing(PrintWriter out) {
    this.out = out;
  }

  /**
   * Shows queues, those that cannot be read at the end.
   *
   * @param unreadable queues that are there, but whose counts cannot be read
   */
  public void printTable(List<QueueStats> queues, List<QueueName> unreadable) {
    if (queues.isEmpty() && unreadable.isEmpty()) {
      out.println("no queues");
      return;
    }
    List<JobState> states = statesToShow(queues);
    TextTable table = new TextTable().column("QUEUE", Align.LEFT);
    states.forEach(state -> table.column(state.name(), Align.RIGHT));
    table.column("COMPLETED", Align.RIGHT);
    table.column("OLDEST READY", Align.RIGHT).column("SERVING", Align.LEFT);
    for (QueueStats stats : queues) {
      List<String> cells = new ArrayList<>();
      cells.add(stats.queue().toString());
      states.forEach(state -> cells.add(Amounts.count(stats.count(state))));
      cells.add(Amounts.count(stats.total(QueueStats.Total.COMPLETED)));
      cells.add(stats.oldestReadyAge().map(Amounts::duration).orElse("-"));
      cells.add(serving(stats));
      table.row(cells);
    }
    for (QueueName queue : unreadable) {
      List<String> cells = new ArrayList<>(List.of(queue.toString()));
      cells.addAll(Collections.nCopies(states.size() + CELLS_BESIDE_STATES, UNKNOWN));
      table.row(cells);
    }
    table.print(out);
  }

  public void printOne(QueueStats stats) {
    TextTable table =
        new TextTable().column("QUEUE", Align.LEFT).column(stats.queue().toString(), Align.RIGHT);
    for (JobState state : JobState.values()) {
      table.row(List.of(Kind.word(state), Amounts.count(stats.count(state))));
    }
    table.row(List.of("oldest ready", stats.oldestReadyAge().map(Amounts::duration).orElse("-")));
    table.row(List.of("serving", Kind.word(stats.serving())));
    stats
        .leasedBy()
        .ifPresent(
            lease -> {
              table.row(List.of("leased by", lease.worker()));
              table.row(List.of("leased until", lease.until().toString()));
            });
    for (QueueStats.Total total : QueueStats.Total.values()) {
      String label = "total " + total.name().toLowerCase(Locale.ROOT);
      table.row(List.of(label, Amounts.count(stats.total(total))));
    }
    table.print(out);
  }

  /** Returns whether claims are served, and to which worker if only to one. */
  public static String serving(QueueStats stats) {
    String word = Kind.word(stats.serving());
    return stats
        .leasedBy()
        .map(lease -> word + ", to " + lease.worker() + " until " + lease.until())
        .orElse(word);
  }

  private static List<JobState> statesToShow(List<QueueStats> queues) {
    List<JobState> states = new ArrayList<>();
    for (JobState state : JobState.values()) {
      boolean isUsed = queues.stream().anyMatch(stats -> stats.count(state) > 0);
      if (isUsed || ALWAYS_SHOWN.contains(state)) {
        states.add(state);
      }
    }
    return states;
  }
}
