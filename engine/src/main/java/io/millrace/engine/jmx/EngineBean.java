package io.millrace.engine.jmx;

import static io.millrace.engine.jmx.ToolAnswers.tell;

import io.millrace.api.BatchId;
import io.millrace.api.Codec;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.MatchingJobs;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.api.UpdateOptions;
import io.millrace.api.VerifyReport;
import io.millrace.describe.Description;
import io.millrace.describe.Descriptions;
import io.millrace.describe.ExplanationTexts;
import io.millrace.describe.OpenData;
import io.millrace.describe.SettingsTexts;
import io.millrace.management.JobEngineMBean;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An engine as an MBean. Acts on queues are logged by the engine, those on jobs here. */
final class EngineBean implements JobEngineMBean {

  private static final Logger LOG = LoggerFactory.getLogger(EngineBean.class);

  private final EngineAccess engine;
  private final EnginePages pages;

  EngineBean(EngineAccess engine) {
    this.engine = engine;
    this.pages = new EnginePages(engine.queues());
  }

  @Override
  public String getName() {
    return engine.label().name();
  }

  @Override
  public String getStoreKind() {
    return engine.label().storeKind();
  }

  @Override
  public String getStoreFolder() {
    return engine.label().place();
  }

  @Override
  public CompositeData getMetrics() {
    return told(Descriptions.METRICS, engine.metrics());
  }

  @Override
  public CompositeData getHealth() {
    return told(Descriptions.HEALTH, engine.health());
  }

  @Override
  public CompositeData queues(@Nullable String cursor) {
    return pages.queues(cursor);
  }

  @Override
  public CompositeData queueStats(int size, @Nullable String cursor) {
    return pages.queueStats(size, cursor);
  }

  @Override
  public CompositeData tables(int size, @Nullable String cursor) {
    return pages.tables(size, cursor);
  }

  @Override
  public CompositeData tableRows(String table, byte[] prefix, int size, @Nullable String cursor) {
    return pages.tableRows(table, prefix, size, cursor);
  }

  @Override
  public boolean dropTable(String table) {
    return tell(() -> engine.queues().table(table, Codec.BYTES, Codec.BYTES).drop());
  }

  @Override
  public @Nullable CompositeData queue(String name, String tenant) {
    return orNull(Descriptions.QUEUE, () -> engine.queues().stats(new QueueName(name, tenant)));
  }

  @Override
  public CompositeData[] queueLeases() {
    return tell(
        () -> OpenData.write(Descriptions.QUEUE_LEASE, engine.queues().admin().queueLeases()));
  }

  @Override
  public boolean endQueueLease(String name, String tenant) {
    return tell(() -> engine.queues().admin().endQueueLease(new QueueName(name, tenant)));
  }

  @Override
  public CompositeData peek(String name, String tenant, String state, @Nullable String cursor) {
    return pages.peek(new QueueName(name, tenant), state(state), cursor);
  }

  @Override
  public CompositeData list(Map<String, String> conditions, int size, @Nullable String cursor) {
    return pages.jobs(Descriptions.JOBS, JobFilter.ALL.with(conditions), size, cursor);
  }

  @Override
  public CompositeData jobHeads(Map<String, String> conditions, int size, @Nullable String cursor) {
    return pages.jobs(Descriptions.JOB_HEADS, JobFilter.ALL.with(conditions), size, cursor);
  }

  @Override
  public @Nullable CompositeData job(String id) {
    return orNull(Descriptions.JOB, () -> engine.queues().get(JobId.parse(id)));
  }

  @Override
  public CompositeData batches(int size, @Nullable String cursor) {
    return pages.batches(size, cursor);
  }

  @Override
  public @Nullable CompositeData batch(String id) {
    return orNull(Descriptions.BATCH, () -> engine.queues().batches().get(BatchId.parse(id)));
  }

  @Override
  public Map<String, Long> cancelBatch(String id) {
    BatchId batch = BatchId.parse(id);
    Map<String, Long> outcome = tell(() -> byName(engine.queues().batches().cancel(batch)));
    LOG.info("cancel by JMX: batch={}, outcome={}", batch, outcome);
    return outcome;
  }

  @Override
  public @Nullable CompositeData explain(String id) {
    return orNull(
        Descriptions.EXPLANATION,
        () -> engine.queues().explain(JobId.parse(id)).map(ExplanationTexts::of));
  }

  @Override
  public CompositeData deadLetters(
      String name,
      String tenant,
      @Nullable String errorContains,
      long diedBeforeMs,
      @Nullable String cursor) {
    return pages.deadLetters(
        new QueueName(name, tenant), filter(errorContains, diedBeforeMs), cursor);
  }

  @Override
  public String redrive(String id) {
    return redrive(id, Checkpointed.KEEP.name());
  }

  @Override
  public String redrive(String id, String checkpointed) {
    Checkpointed how = Named.of("checkpointed", checkpointed, Checkpointed.class);
    return acted(
        "redrive",
        id,
        job ->
            told(
                lettersOf(job)
                    .map(letters -> letters.redrive(job, how))
                    .orElse(new RedriveResult.Gone())));
  }

  @Override
  public long redriveAll(
      String name, String tenant, @Nullable String errorContains, long diedBeforeMs) {
    return redriveAll(name, tenant, errorContains, diedBeforeMs, Checkpointed.KEEP.name());
  }

  @Override
  public long redriveAll(
      String name,
      String tenant,
      @Nullable String errorContains,
      long diedBeforeMs,
      String checkpointed) {
    Checkpointed how = Named.of("checkpointed", checkpointed, Checkpointed.class);
    return tell(() -> letters(name, tenant).redriveAll(filter(errorContains, diedBeforeMs), how));
  }

  @Override
  public boolean deleteDead(String id) {
    return acted(
        "delete dead letter",
        id,
        job -> lettersOf(job).map(letters -> letters.delete(job)).orElse(false));
  }

  @Override
  public long deleteAllDead(
      String name, String tenant, @Nullable String errorContains, long diedBeforeMs) {
    return tell(() -> letters(name, tenant).deleteAll(filter(errorContains, diedBeforeMs)));
  }

  @Override
  public void pause(String name, String tenant) {
    run(() -> queueOf(name, tenant).pause());
  }

  @Override
  public void resume(String name, String tenant) {
    run(() -> queueOf(name, tenant).resume());
  }

  @Override
  public String drain(String name, String tenant, long waitMs) {
    return tell(() -> queueOf(name, tenant).drain(Duration.ofMillis(waitMs)).name());
  }

  @Override
  public void endDrain(String name, String tenant) {
    run(() -> queueOf(name, tenant).endDrain());
  }

  @Override
  public long purge(String name, String tenant, List<String> states) {
    Set<JobState> meant = EnumSet.noneOf(JobState.class);
    states.forEach(state -> meant.add(state(state)));
    return tell(() -> queueOf(name, tenant).purge(meant));
  }

  @Override
  public boolean deleteQueue(String name, String tenant) {
    return tell(() -> queueOf(name, tenant).delete());
  }

  @Override
  public CompositeData settings(String name, String tenant) {
    return told(Descriptions.SETTINGS, () -> SettingsTexts.of(queueOf(name, tenant).settings()));
  }

  @Override
  public CompositeData nameSettings(String name) {
    return told(Descriptions.SETTINGS, () -> SettingsTexts.of(engine.queues().settings(name)));
  }

  @Override
  public CompositeData configure(String name, String tenant, Map<String, String> changes) {
    run(() -> queueOf(name, tenant).configure(settings -> settings.with(changes)));
    return settings(name, tenant);
  }

  @Override
  public CompositeData configureName(String name, Map<String, String> changes) {
    run(() -> engine.queues().admin().configure(name, settings -> settings.with(changes)));
    return nameSettings(name);
  }

  @Override
  public String cancel(String id) {
    return acted("cancel", id, job -> engine.queues().cancel(job).name());
  }

  @Override
  public String cancelIfWaiting(String id) {
    return acted("cancel if waiting", id, job -> engine.queues().cancelIfWaiting(job).name());
  }

  @Override
  public String release(String id) {
    return acted("release", id, job -> engine.queues().admin().release(job).name());
  }

  @Override
  public String reschedule(String id, long visibleAtMs) {
    Instant visibleAt = Instant.ofEpochMilli(visibleAtMs);
    return acted("reschedule", id, job -> engine.queues().reschedule(job, visibleAt).name());
  }

  @Override
  public String signal(String id, String signal, byte @Nullable [] payload) {
    byte[] bytes = payload == null ? new byte[0] : payload;
    return acted("signal", id, job -> engine.queues().signal(job, signal, bytes).name());
  }

  @Override
  public long broadcast(String name, String tenant, String signal, byte @Nullable [] payload) {
    byte[] bytes = payload == null ? new byte[0] : payload;
    return tell(
        () ->
            engine
                .queues()
                .signals()
                .broadcast(new QueueName(name, tenant), signal, bytes)
                .wokenCount());
  }

  @Override
  public String failStuck(String id, String error) {
    return acted("fail stuck", id, job -> engine.queues().admin().failStuck(job, error).name());
  }

  @Override
  public String update(
      String id,
      Map<String, String> changes,
      byte @Nullable [] payload,
      @Nullable Map<String, String> headers) {
    UpdateOptions options = changes(changes, payload, headers);
    return acted("update", id, job -> engine.queues().update(job, options).name());
  }

  @Override
  public long countJobs(Map<String, String> conditions) {
    return tell(() -> matching(conditions).count());
  }

  @Override
  public Map<String, Long> cancelJobs(Map<String, String> conditions, boolean isIfWaiting) {
    return acted(
        "cancel", conditions, jobs -> byName(isIfWaiting ? jobs.cancelIfWaiting() : jobs.cancel()));
  }

  @Override
  public Map<String, Long> releaseJobs(Map<String, String> conditions) {
    return acted("release", conditions, jobs -> byName(jobs.release()));
  }

  @Override
  public Map<String, Long> rescheduleJobs(Map<String, String> conditions, long visibleAtMs) {
    Instant visibleAt = Instant.ofEpochMilli(visibleAtMs);
    return acted("reschedule", conditions, jobs -> byName(jobs.reschedule(visibleAt)));
  }

  @Override
  public Map<String, Long> updateJobs(
      Map<String, String> conditions,
      Map<String, String> changes,
      byte @Nullable [] payload,
      @Nullable Map<String, String> headers) {
    UpdateOptions options = changes(changes, payload, headers);
    return acted("update", conditions, jobs -> byName(jobs.update(options)));
  }

  @Override
  public long redriveJobs(Map<String, String> conditions, String checkpointed) {
    Checkpointed how = Named.of("checkpointed", checkpointed, Checkpointed.class);
    return acted("redrive", conditions, jobs -> jobs.redrive(how));
  }

  private MatchingJobs matching(Map<String, String> conditions) {
    return MatchingJobs.of(engine.queues(), JobFilter.ALL.with(conditions));
  }

  private <T> T acted(
      String act, Map<String, String> conditions, Function<MatchingJobs, T> action) {
    MatchingJobs jobs = matching(conditions);
    T outcome = tell(() -> action.apply(jobs));
    LOG.info("{} of matching jobs by JMX: outcome={}", act, outcome);
    return outcome;
  }

  private static Map<String, Long> byName(Map<? extends Enum<?>, Long> counts) {
    Map<String, Long> names = new TreeMap<>();
    counts.forEach((result, count) -> names.put(result.name(), count));
    return names;
  }

  private static UpdateOptions changes(
      Map<String, String> texts, byte @Nullable [] payload, @Nullable Map<String, String> headers) {
    UpdateOptions changes = UpdateOptions.NOTHING.with(texts);
    changes = payload == null ? changes : changes.payload(payload);
    return headers == null ? changes : changes.headers(headers);
  }

  /** Reopens the engine, which logs it itself if it had to be reopened. */
  @Override
  public void reopen() {
    run(engine.reopen());
  }

  @Override
  public CompositeData verify() {
    VerifyReport report = tell(() -> engine.queues().verify());
    LOG.info(
        "verified by JMX: queues={}, jobs={}, problems={}",
        report.queueCount(),
        report.jobCount(),
        report.problemCount());
    return OpenData.write(Descriptions.VERIFY_REPORT, report);
  }

  @Override
  public void backup(String folder) {
    Path path = Path.of(folder);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(
          "folder is not absolute: value=\"" + folder + "\"; name one on the engine's machine");
    }
    run(() -> engine.backup().accept(path));
  }

  private DeadLetters letters(String name, String tenant) {
    return queueOf(name, tenant).deadLetters();
  }

  private JobQueue queueOf(String name, String tenant) {
    return engine.queues().queue(new QueueName(name, tenant));
  }

  private Optional<DeadLetters> lettersOf(JobId id) {
    return engine.queues().get(id).map(job -> engine.queues().queue(job.queue()).deadLetters());
  }

  private static JobState state(String name) {
    return Named.of("state", name, JobState.class);
  }

  private static String told(RedriveResult result) {
    if (result instanceof RedriveResult.Duplicate duplicate) {
      return "DUPLICATE " + duplicate.holder();
    }
    if (result instanceof RedriveResult.NotDead) {
      return "NOT_DEAD";
    }
    return result.isDone() ? "REDRIVEN" : "GONE";
  }

  private static DeadFilter filter(@Nullable String errorContains, long diedBeforeMs) {
    DeadFilter filter = DeadFilter.ALL;
    if (errorContains != null) {
      filter = filter.errorContains(errorContains);
    }
    return diedBeforeMs == 0 ? filter : filter.diedBefore(Instant.ofEpochMilli(diedBeforeMs));
  }

  /** Carries out an act on a single job and logs it, which the engine does not do by itself. */
  private static <T> T acted(String act, String id, Function<JobId, T> action) {
    JobId job = JobId.parse(id);
    T outcome = tell(() -> action.apply(job));
    LOG.info("{} by JMX: job={}, outcome={}", act, job, outcome);
    return outcome;
  }

  private static void run(Runnable act) {
    tell(
        () -> {
          act.run();
          return true;
        });
  }

  private static <T> CompositeData told(Description<T> description, Supplier<T> question) {
    return tell(() -> OpenData.write(description, question.get()));
  }

  private static <T> @Nullable CompositeData orNull(
      Description<T> description, Supplier<Optional<T>> question) {
    return tell(() -> question.get().map(it -> OpenData.write(description, it))).orElse(null);
  }
}
