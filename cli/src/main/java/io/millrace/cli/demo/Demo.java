package io.millrace.cli.demo;

import io.millrace.api.EngineOptions;
import io.millrace.cli.demo.DemoOptions.StoreKind;
import io.millrace.cli.text.Reason;
import io.millrace.cli.text.Terminal;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;

/** The demo from its options to its summary. For one thread, once. */
public final class Demo {

  private final DemoOptions options;
  private final PrintWriter out;
  private final Stop stop = new Stop();

  public Demo(DemoOptions options, PrintWriter out) {
    this.options = options;
    this.out = out;
  }

  /** How a run ended. */
  public enum Ending {
    COMPLETE,
    /** Someone asked it to stop; another run goes on from there. */
    STOPPED
  }

  /**
   * Runs the demo until nothing is left to do, or the process is asked to stop.
   *
   * @throws DemoException it cannot start or go on, and why
   * @throws io.millrace.spi.StoreException the store cannot be opened, or cannot go on
   * @throws io.millrace.MillraceException the engine cannot go on
   */
  public Ending run() {
    SourceFolder source = SourceFolder.of(options.folder());
    try (StopOnSignal signal = new StopOnSignal(stop);
        DemoLock lock = DemoLock.take(options.dir())) {
      signal.listen();
      return run(source, new DemoFolder(lock.folder()));
    } catch (IOException e) {
      throw new DemoException(
          "cannot go on in %s: %s; when that is mended, the same command goes on from here"
              .formatted(new DemoFolder(options.dir()), Reason.of(e)),
          e);
    }
  }

  private Ending run(SourceFolder source, DemoFolder dir) throws IOException {
    boolean isGoingOn = dir.prepare(source, options.store(), options.start());
    out.printf("%s %s%n", isGoingOn ? "Going on with" : "Hashing the files below", source);
    out.flush();
    Optional<DemoSummary> summary;
    try (JobEngine engine = // StopOnSignal ends the workers first, and the engine with them.
            JobEngine.open(location(dir), EngineOptions.DEFAULT.closeAtShutdown(false));
        ResultJournal journal = ResultJournal.open(dir.journal())) {
      DemoFolders folders = DemoFolders.of(source, dir);
      Progress progress =
          new Progress(Terminal.isPresent() ? Progress.Style.BAR : Progress.Style.LINES, out);
      summary = new DemoRun(engine, folders, journal, options, stop).run(progress);
    }
    if (summary.isEmpty()) {
      out.println("Stopped. The same command goes on from here.");
      out.flush();
      return Ending.STOPPED;
    }
    dir.markComplete(source, options.store());
    new SummaryText(options, source, dir).print(summary.get(), out);
    return Ending.COMPLETE;
  }

  private String location(DemoFolder dir) {
    return options.store() == StoreKind.MEMORY ? "memory:demo" : dir.location(options.store());
  }
}
