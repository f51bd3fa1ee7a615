package io.millrace.cli.demo;

import io.millrace.api.DeadFilter;
import io.millrace.api.Job;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueStats;
import io.millrace.api.QueueStats.Total;
import io.millrace.cli.demo.DemoOptions.StoreKind;
import io.millrace.cli.text.ShellWord;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.Printable;
import java.io.PrintWriter;
import java.util.Collection;

/** A finished demo in words: its results, their place, and what to try next. */
final class Summary {

  private static final int DEAD_SHOWN_MAX = 10;

  private final DemoOptions options;
  private final SourceFolder source;
  private final PrintWriter out;

  Summary(DemoOptions options, SourceFolder source, PrintWriter out) {
    this.options = options;
    this.source = source;
    this.out = out;
  }

  void print(Collection<HashedFile> manifest, Scan scan, JobQueue files, Progress.Moment end) {
    if (end.doneInRunCount() == 0) {
      out.println("Complete: nothing was left to do. Start over with --fresh.");
    } else {
      out.printf(
          "Complete: %s done in %s, %s jobs/s.%n",
          Amounts.count(end.doneInRunCount(), "job"),
          Amounts.duration(end.elapsed()),
          Amounts.count(end.jobsPerSecond()));
    }
    line(
        "files",
        "%s with %s in the manifest"
            .formatted(
                Amounts.count(manifest.size()),
                Amounts.bytes(manifest.stream().mapToLong(HashedFile::sizeBytes).sum())));
    line("retried", retried(files.stats().map(s -> s.total(Total.RETRIED)).orElse(0L)));
    if (scan.linkCount() + scan.specialCount() > 0) {
      line(
          "skipped",
          Amounts.count(scan.linkCount(), "symbolic link")
              + ", "
              + Amounts.count(scan.specialCount(), "special file"));
    }
    long deadCount = files.stats().map(Summary::deadCount).orElse(0L);
    printDead(files, deadCount);
    boolean isKept = options.store() != StoreKind.MEMORY;
    line("manifest", options.manifest().toString());
    line("store", isKept ? options.location() : "memory, gone with this process");
    out.println();
    out.println("Try next:");
    if (!manifest.isEmpty()) {
      out.printf(
          "  (cd %s && sha256sum -c --quiet %s)%n",
          ShellWord.quote(source.toString()),
          ShellWord.quote(options.manifest().toAbsolutePath().normalize().toString()));
    }
    if (isKept) {
      printCommands(deadCount);
    }
    out.flush();
  }

  private void printCommands(long deadCount) {
    String store = ShellWord.quote(options.location());
    out.printf("  ./millrace inspect %s%n", store);
    if (deadCount > 0) {
      out.printf("  ./millrace dead list %s%n", store);
      out.printf("  ./millrace dead redrive %s --all   # then run the demo again%n", store);
    }
    out.printf("  ./millrace verify %s%n", store);
  }

  private static long deadCount(QueueStats stats) {
    return stats.count(JobState.DEAD);
  }

  private String retried(long retriedCount) {
    String count = Amounts.count(retriedCount);
    return options.failEvery() == 0 || retriedCount == 0
        ? count
        : "%s (simulated: the first attempt of every %s fails on purpose)"
            .formatted(
                count,
                options.failEvery() == 1 ? "job" : Amounts.count(options.failEvery()) + "th job");
  }

  private void printDead(JobQueue files, long deadCount) {
    line("dead letters", Amounts.count(deadCount));
    int shownCount = 0;
    for (Job job :
        files.deadLetters().list(DeadFilter.ALL, PageRequest.first(DEAD_SHOWN_MAX)).items()) {
      line("", SourceFolder.shown(job.payload(Scan.FILE)) + ": " + job.lastError().orElse(""));
      shownCount++;
    }
    if (deadCount > shownCount) {
      line("", "and " + Amounts.count(deadCount - shownCount) + " more");
    }
  }

  private void line(String label, String value) {
    out.printf("  %-13s %s%n", label, Printable.text(value));
  }
}
