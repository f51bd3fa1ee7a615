package io.millrace.cli.place;

import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.CancelResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.DrainResult;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineMetrics;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.TableRow;
import io.millrace.api.VerifyReport;
import io.millrace.describe.Description;
import io.millrace.describe.Descriptions;
import io.millrace.describe.ExplanationTexts;
import io.millrace.describe.SettingsTexts;
import io.millrace.management.JobEngineMBean;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * A store that an engine in another process holds, and that is asked through that engine. Any
 * thread may ask.
 *
 * <p>A page is as large as the engine makes them, if more was asked for.
 */
public final class EngineTarget implements LiveTarget {

  private final OtherProcess process;
  private final Attachment attachment;
  private final JobEngineMBean engine;

  private EngineTarget(OtherProcess process, Attachment attachment, JobEngineMBean engine) {
    this.process = process;
    this.attachment = attachment;
    this.engine = engine;
  }

  /**
   * Attaches to the process.
   *
   * @throws AttachException that is not possible, or the engine is not there
   */
  public static EngineTarget attach(long pid, EngineChoice choice) {
    Attachment attachment = attachment(pid);
    try {
      return new EngineTarget(
          new OtherProcess(pid, OtherProcess.Whom.ENGINE), attachment, attachment.engine(choice));
    } catch (RuntimeException | Error e) {
      attachment.close();
      throw e;
    }
  }

  /**
   * Connects to the process. Fails with a sentence also where this Java lacks the modules for that.
   *
   * @throws AttachException that is not possible, and why
   */
  static Attachment attachment(long pid) {
    try {
      return Attachment.to(pid);
    } catch (NoClassDefFoundError e) {
      throw new AttachException(
          "this Java cannot attach to processes, for it lacks the module jdk.attach or"
              + " java.management; run the command with a JDK: java.home="
              + System.getProperty("java.home"),
          e);
    }
  }

  /** Returns the process that has the engine. */
  public long pid() {
    return process.pid();
  }

  @Override
  public OptionalLong process() {
    return OptionalLong.of(pid());
  }

  @Override
  public String location() {
    return ask(() -> engine.getStoreKind() + ":" + engine.getStoreFolder());
  }

  @Override
  public EngineMetrics metrics() {
    return ask(Descriptions.METRICS, engine::getMetrics);
  }

  /** Returns a page as large as the engine makes it, whatever size was asked for. */
  @Override
  public Page<QueueName> queues(PageRequest page) {
    return ask(Descriptions.QUEUES, () -> engine.queues(cursor(page)));
  }

  @Override
  public Optional<QueueStats> stats(QueueName queue) {
    return askMaybe(Descriptions.QUEUE, () -> engine.queue(queue.name(), queue.tenant()));
  }

  /** Returns queues with their counts; one that is damaged is left out. */
  public Page<QueueStats> queueStats(PageRequest page) {
    return ask(Descriptions.QUEUE_STATS, () -> engine.queueStats(few(page), cursor(page)));
  }

  @Override
  public Page<Job> list(JobFilter filter, PageRequest page) {
    return ask(Descriptions.JOBS, () -> engine.list(filter.texts(), fewLarge(page), cursor(page)));
  }

  /**
   * Returns jobs as {@link #list}, but with empty payloads, and without kept states and results.
   */
  public Page<Job> jobHeads(JobFilter filter, PageRequest page) {
    return ask(
        Descriptions.JOB_HEADS,
        () -> engine.jobHeads(filter.texts(), fewLarge(page), cursor(page)));
  }

  @Override
  public Optional<Job> get(JobId id) {
    return askMaybe(Descriptions.JOB, () -> engine.job(id.toString()));
  }

  @Override
  public Page<BatchStats> batches(PageRequest page) {
    return ask(Descriptions.BATCHES, () -> engine.batches(few(page), cursor(page)));
  }

  @Override
  public Optional<BatchStats> batch(BatchId id) {
    return askMaybe(Descriptions.BATCH, () -> engine.batch(id.toString()));
  }

  @Override
  public Map<CancelResult, Long> cancelBatch(BatchId id) {
    Map<CancelResult, Long> counts = new EnumMap<>(CancelResult.class);
    ask(() -> engine.cancelBatch(id.toString()))
        .forEach((word, count) -> counts.put(OtherProcess.word(CancelResult.class, word), count));
    return counts;
  }

  @Override
  public Optional<ExplanationTexts> explain(JobId id) {
    return askMaybe(Descriptions.EXPLANATION, () -> engine.explain(id.toString()));
  }

  /** Returns a page as large as the engine makes it, whatever size was asked for. */
  @Override
  public Page<Job> deadLetters(QueueName queue, DeadFilter filter, PageRequest page) {
    return ask(
        Descriptions.JOBS,
        () ->
            engine.deadLetters(
                queue.name(), queue.tenant(), error(filter), diedBeforeMs(filter), cursor(page)));
  }

  @Override
  public VerifyReport verify() {
    return ask(Descriptions.VERIFY_REPORT, engine::verify);
  }

  @Override
  public Page<String> tables(PageRequest page) {
    return ask(Descriptions.TABLES, () -> engine.tables(few(page), cursor(page)));
  }

  @Override
  public Page<TableRow<byte[], byte[]>> tableRows(String table, byte[] prefix, PageRequest page) {
    return ask(
        Descriptions.TABLE_ROWS,
        () -> engine.tableRows(table, prefix, fewLarge(page), cursor(page)));
  }

  /** Returns the workers of the engine that run in its process now, in the order of their names. */
  public List<LiveWorker> workers() {
    return attachment.workersOf(ask(engine::getName));
  }

  @Override
  public <R> R change(JobAction<R> action, JobId id) {
    return change(action.elsewhere(), id);
  }

  /** Changes a job; returns what the engine answers. */
  public <R> R change(BiFunction<JobEngineMBean, String, R> action, JobId id) {
    return ask(() -> action.apply(engine, id.toString()));
  }

  /** Changes a job; returns the result of which the engine tells the name. */
  public <R extends Enum<R>> R change(
      Class<R> results, BiFunction<JobEngineMBean, String, String> action, JobId id) {
    return OtherProcess.word(results, change(action, id));
  }

  @Override
  public long redriveAll(QueueName queue, DeadFilter filter, Checkpointed checkpointed) {
    return ask(
        () ->
            engine.redriveAll(
                queue.name(),
                queue.tenant(),
                error(filter),
                diedBeforeMs(filter),
                checkpointed.name()));
  }

  @Override
  public long deleteAll(QueueName queue, DeadFilter filter) {
    return ask(
        () ->
            engine.deleteAllDead(
                queue.name(), queue.tenant(), error(filter), diedBeforeMs(filter)));
  }

  @Override
  public SettingsTexts settings(QueueName queue) {
    return ask(Descriptions.SETTINGS, () -> engine.settings(queue.name(), queue.tenant()));
  }

  @Override
  public SettingsTexts settings(String queueName) {
    return ask(Descriptions.SETTINGS, () -> engine.nameSettings(queueName));
  }

  @Override
  public SettingsTexts configure(QueueName queue, Map<String, String> changes) {
    return ask(
        Descriptions.SETTINGS, () -> engine.configure(queue.name(), queue.tenant(), changes));
  }

  @Override
  public SettingsTexts configure(String queueName, Map<String, String> changes) {
    return ask(Descriptions.SETTINGS, () -> engine.configureName(queueName, changes));
  }

  @Override
  public void pause(QueueName queue) {
    run(() -> engine.pause(queue.name(), queue.tenant()));
  }

  @Override
  public void resume(QueueName queue) {
    run(() -> engine.resume(queue.name(), queue.tenant()));
  }

  @Override
  public boolean endQueueLease(QueueName queue) {
    return ask(() -> engine.endQueueLease(queue.name(), queue.tenant()));
  }

  @Override
  public DrainResult drain(QueueName queue, Duration waiting) {
    return OtherProcess.word(
        DrainResult.class,
        ask(() -> engine.drain(queue.name(), queue.tenant(), waiting.toMillis())));
  }

  @Override
  public void endDrain(QueueName queue) {
    run(() -> engine.endDrain(queue.name(), queue.tenant()));
  }

  @Override
  public long purge(QueueName queue, Set<JobState> states) {
    List<String> names = states.stream().map(JobState::name).toList();
    return ask(() -> engine.purge(queue.name(), queue.tenant(), names));
  }

  @Override
  public boolean deleteQueue(QueueName queue) {
    return ask(() -> engine.deleteQueue(queue.name(), queue.tenant()));
  }

  @Override
  public long broadcast(QueueName queue, String signal, byte[] payload) {
    return ask(() -> engine.broadcast(queue.name(), queue.tenant(), signal, payload));
  }

  /** Asks the engine to open its store again; returns whether it had to. */
  public boolean reopen() {
    EngineHealth health = ask(Descriptions.HEALTH, engine::getHealth);
    boolean wasUp =
        health.status() == EngineHealth.Status.UP || health.status() == EngineHealth.Status.FULL;
    run(engine::reopen);
    return !wasUp;
  }

  @Override
  public void backup(Path folder) {
    run(() -> engine.backup(folder.toAbsolutePath().toString()));
  }

  @Override
  public void close() {
    attachment.close();
  }

  private static int few(PageRequest page) {
    return Math.min(page.size(), JobEngineMBean.QUEUE_PAGE_SIZE);
  }

  /** Returns the size of a page of what may have many megabytes each. */
  private static int fewLarge(PageRequest page) {
    return Math.min(page.size(), JobEngineMBean.JOB_PAGE_SIZE);
  }

  private static @Nullable String cursor(PageRequest page) {
    return page.cursor().orElse(null);
  }

  private static @Nullable String error(DeadFilter filter) {
    return filter.errorContains().orElse(null);
  }

  private static long diedBeforeMs(DeadFilter filter) {
    return filter.diedBefore().map(Instant::toEpochMilli).orElse(0L);
  }

  private void run(Runnable act) {
    process.run(act);
  }

  private <T> T ask(Supplier<T> question) {
    return process.ask(question);
  }

  private <T> T ask(Description<T> description, Supplier<CompositeData> question) {
    return OtherProcess.read(description, process.ask(question));
  }

  private <T> Optional<T> askMaybe(
      Description<T> description, Supplier<@Nullable CompositeData> question) {
    return ask(() -> Optional.ofNullable(question.get()))
        .map(told -> OtherProcess.read(description, told));
  }
}
