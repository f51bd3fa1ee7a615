package io.millrace.cli.place;

import io.millrace.api.EngineOptions;
import io.millrace.api.JobQueues;
import io.millrace.api.JobReader;
import io.millrace.api.VerifyReport;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import io.millrace.spi.StoreOptions.LostCommits;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A store that this process opens. */
public final class FolderTarget extends QueuesTarget {

  private final ReadableStore store;
  private final JobReader reader;
  private final Optional<JobEngine> engine;

  private FolderTarget(
      String location, ReadableStore store, JobReader reader, Optional<JobEngine> engine) {
    super(ReadableStore.withoutPassword(location));
    this.store = store;
    this.reader = reader;
    this.engine = engine;
  }

  /**
   * Opens the store only to look at it: nothing is changed.
   *
   * @param note is given a line if the folder cannot be written
   */
  public static FolderTarget toRead(
      String location, LostCommits lostCommits, Consumer<String> note) {
    ReadableStore store = ReadableStore.of(location, lostCommits, note);
    try {
      StorePlace place = store.place();
      JobReader reader = store.ask(() -> JobEngine.inspect(place.factory(), place.options()));
      return new FolderTarget(location, store, reader, Optional.empty());
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  /** Opens the store to change it. */
  public static FolderTarget toChange(String location, LostCommits lostCommits) {
    StorePlace place = ReadableStore.place(location, lostCommits);
    JobEngine engine =
        ReadableStore.named(
            place,
            () ->
                JobEngine.open(
                    place.factory(),
                    place.options(),
                    EngineOptions.DEFAULT.management(EngineOptions.Management.OFF)));
    ReadableStore store = ReadableStore.of(location, lostCommits, note -> {});
    return new FolderTarget(location, store, engine, Optional.of(engine));
  }

  @Override
  public VerifyReport verify() {
    VerifyReport report = store.ask(reader::verify);
    return new VerifyReport(
        report.queueCount(),
        report.jobCount(),
        report.problems().stream()
            .map(
                problem ->
                    new VerifyReport.Problem(
                        problem.keyspace(), problem.key(), store.shown(problem.finding())))
            .toList(),
        report.problemCount(),
        report.quarantinedCount());
  }

  /** Opens the store once more for the backup, since an engine would change it. */
  @Override
  public void backup(Path folder) {
    reader.close();
    store.ask(
        () -> {
          Stores.backup(store.place(), folder);
          return true;
        });
  }

  @Override
  public void close() {
    try (store) {
      reader.close();
    }
  }

  /** Returns the reader of the store, which is closed with this target. */
  public JobReader reader() {
    return reader;
  }

  @Override
  JobReader reading() {
    return reader;
  }

  @Override
  <T> T ask(Supplier<T> question) {
    return store.ask(question);
  }

  @Override
  JobQueues changing() {
    return engine.orElseThrow(
        () -> new IllegalStateException("the store was opened for reading only"));
  }
}
