package io.millrace.cli.place;

import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.CancelResult;
import io.millrace.api.Codec;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.DrainResult;
import io.millrace.api.EngineOptions;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.api.VerifyReport;
import io.millrace.describe.ExplanationTexts;
import io.millrace.describe.SettingsTexts;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import io.millrace.spi.StoreOptions.LostCommits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** A store that this process opens. */
public final class FolderTarget implements Target {

  private final String location;
  private final ReadableStore store;
  private final JobReader reader;
  private final Optional<JobEngine> engine;

  private FolderTarget(
      String location, ReadableStore store, JobReader reader, Optional<JobEngine> engine) {
    this.location = location;
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
        JobEngine.open(
            place.factory(),
            place.options(),
            EngineOptions.DEFAULT.management(EngineOptions.Management.OFF));
    ReadableStore store = ReadableStore.of(location, lostCommits, note -> {});
    return new FolderTarget(location, store, engine, Optional.of(engine));
  }

  @Override
  public String location() {
    return location;
  }

  @Override
  public Page<QueueName> queues(PageRequest page) {
    return store.ask(() -> reader.queues(page));
  }

  @Override
  public Optional<QueueStats> stats(QueueName queue) {
    return store.ask(() -> reader.stats(queue));
  }

  @Override
  public Page<Job> list(JobFilter filter, PageRequest page) {
    return store.ask(() -> reader.list(filter, page));
  }

  @Override
  public Optional<Job> get(JobId id) {
    return store.ask(() -> reader.get(id));
  }

  @Override
  public Page<BatchStats> batches(PageRequest page) {
    return store.ask(() -> reader.batches().list(page));
  }

  @Override
  public Optional<BatchStats> batch(BatchId id) {
    return store.ask(() -> reader.batches().get(id));
  }

  @Override
  public Map<CancelResult, Long> cancelBatch(BatchId id) {
    return engine().batches().cancel(id);
  }

  @Override
  public Optional<ExplanationTexts> explain(JobId id) {
    return store.ask(() -> reader.explain(id)).map(ExplanationTexts::of);
  }

  @Override
  public Page<Job> deadLetters(QueueName queue, DeadFilter filter, PageRequest page) {
    return store.ask(() -> reader.deadLetters(queue, filter, page));
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

  @Override
  public Page<String> tables(PageRequest page) {
    return store.ask(() -> reader.tables(page));
  }

  @Override
  public Page<TableRow<byte[], byte[]>> tableRows(String table, byte[] prefix, PageRequest page) {
    return store.ask(
        () -> reader.table(table, Codec.BYTES, Codec.BYTES).scan(TableRange.prefix(prefix), page));
  }

  @Override
  public <R> R change(JobAction<R> action, JobId id) {
    return action.here().apply(engine(), id);
  }

  @Override
  public long redriveAll(QueueName queue, DeadFilter filter, Checkpointed checkpointed) {
    return letters(queue).redriveAll(filter, checkpointed);
  }

  @Override
  public long deleteAll(QueueName queue, DeadFilter filter) {
    return letters(queue).deleteAll(filter);
  }

  @Override
  public SettingsTexts settings(QueueName queue) {
    return SettingsTexts.of(store.ask(() -> reader.settings(queue)));
  }

  @Override
  public SettingsTexts settings(String queueName) {
    return SettingsTexts.of(store.ask(() -> reader.settings(queueName)));
  }

  @Override
  public SettingsTexts configure(QueueName queue, Map<String, String> changes) {
    engine().queue(queue).configure(settings -> settings.with(changes));
    return settings(queue);
  }

  @Override
  public SettingsTexts configure(String queueName, Map<String, String> changes) {
    engine().admin().configure(queueName, settings -> settings.with(changes));
    return settings(queueName);
  }

  @Override
  public void pause(QueueName queue) {
    engine().queue(queue).pause();
  }

  @Override
  public void resume(QueueName queue) {
    engine().queue(queue).resume();
  }

  @Override
  public boolean endQueueLease(QueueName queue) {
    return engine().admin().endQueueLease(queue);
  }

  @Override
  public DrainResult drain(QueueName queue, Duration waiting) {
    return engine().queue(queue).drain(waiting);
  }

  @Override
  public void endDrain(QueueName queue) {
    engine().queue(queue).endDrain();
  }

  @Override
  public long purge(QueueName queue, Set<JobState> states) {
    return engine().queue(queue).purge(states);
  }

  @Override
  public boolean deleteQueue(QueueName queue) {
    return engine().queue(queue).delete();
  }

  @Override
  public long broadcast(QueueName queue, String signal, byte[] payload) {
    return engine().signals().broadcast(queue, signal, payload).wokenCount();
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

  /** Looks at the store. */
  <T> T read(Function<JobReader, T> look) {
    return store.ask(() -> look.apply(reader));
  }

  private DeadLetters letters(QueueName queue) {
    return engine().queue(queue).deadLetters();
  }

  /** Returns the engine that has the store open to change it. */
  JobEngine engine() {
    return engine.orElseThrow(
        () -> new IllegalStateException("the store was opened for reading only"));
  }
}
