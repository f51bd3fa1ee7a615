package io.millrace.cli.demo;

import io.millrace.cli.demo.DemoOptions.StoreKind;
import io.millrace.cli.text.Amounts;
import io.millrace.cli.text.Printable;
import io.millrace.cli.text.ShellWord;
import java.io.PrintWriter;

/** A finished demo in words: what was done, where it is, and what to try next. */
final class SummaryText {

  private final DemoOptions options;
  private final SourceFolder source;
  private final DemoFolder dir;

  SummaryText(DemoOptions options, SourceFolder source, DemoFolder dir) {
    this.options = options;
    this.source = source;
    this.dir = dir;
  }

  void print(DemoSummary summary, PrintWriter out) {
    printResult(summary, out);
    printDeadLetters(summary.deadLetters(), out);
    line(out, "manifest", dir.manifest().toString());
    line(
        out,
        "store",
        options.store() == StoreKind.MEMORY
            ? "memory, gone with this process"
            : dir.location(options.store()));
    printNext(summary, out);
    out.flush();
  }

  private void printResult(DemoSummary summary, PrintWriter out) {
    Progress.Moment end = summary.end();
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
        out,
        "files",
        "%s with %s in the manifest"
            .formatted(Amounts.count(summary.fileCount()), Amounts.bytes(summary.sizeBytes())));
    line(out, "retried", retried(summary));
    if (summary.linkCount() + summary.specialCount() > 0) {
      line(
          out,
          "skipped",
          Amounts.count(summary.linkCount(), "symbolic link")
              + ", "
              + Amounts.count(summary.specialCount(), "special file"));
    }
  }

  private String retried(DemoSummary summary) {
    String count = Amounts.count(summary.retriedCount());
    return options.failEvery() == 0 || summary.retriedCount() == 0
        ? count
        : "%s (simulated: the first attempt of every %s fails on purpose)"
            .formatted(count, options.failEvery() == 1 ? "job" : ordinal(options.failEvery()));
  }

  private static String ordinal(int number) {
    return Amounts.count(number) + "th job";
  }

  private static void printDeadLetters(DemoSummary.DeadLetterList letters, PrintWriter out) {
    line(out, "dead letters", Amounts.count(letters.count()));
    for (DemoSummary.DeadLetter letter : letters.first()) {
      line(out, "", letter.name() + ": " + letter.reason());
    }
    if (letters.count() > letters.first().size()) {
      line(out, "", "and " + Amounts.count(letters.count() - letters.first().size()) + " more");
    }
  }

  private void printNext(DemoSummary summary, PrintWriter out) {
    out.println();
    out.println("Try next:");
    if (summary.fileCount() > 0) {
      out.printf(
          "  (cd %s && sha256sum -c --quiet %s)%n",
          ShellWord.quote(source.toString()),
          ShellWord.quote(dir.manifest().toAbsolutePath().normalize().toString()));
    }
    if (options.store() != StoreKind.MEMORY) {
      String store = ShellWord.quote(dir.location(options.store()));
      out.printf("  ./millrace inspect %s%n", store);
      if (summary.deadLetters().count() > 0) {
        out.printf("  ./millrace dead list %s%n", store);
        out.printf("  ./millrace dead redrive %s --all   # then run the demo again%n", store);
      }
      out.printf("  ./millrace verify %s%n", store);
    }
  }

  private static void line(PrintWriter out, String label, String value) {
    out.printf("  %-13s %s%n", label, Printable.text(value));
  }
}
