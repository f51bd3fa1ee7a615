package io.millrace.cli.place;

import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.CancelResult;
import io.millrace.api.Codec;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.DrainResult;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
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
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** A store that is asked by the API of queues, in this process or through a server. */
public abstract class QueuesTarget implements Target {

  private final String location;

  QueuesTarget(String location) {
    this.location = location;
  }

  /** Returns what is looked at. */
  abstract JobReader reading();

  /** Returns what is changed. */
  abstract JobQueues changing();

  /** Asks; exceptions are such as commands report. */
  abstract <T> T ask(Supplier<T> question);

  @Override
  public final String location() {
    return location;
  }

  @Override
  public Page<QueueName> queues(PageRequest page) {
    return ask(() -> reading().queues(page));
  }

  @Override
  public Optional<QueueStats> stats(QueueName queue) {
    return ask(() -> reading().stats(queue));
  }

  @Override
  public Page<Job> list(JobFilter filter, PageRequest page) {
    return ask(() -> reading().list(filter, page));
  }

  @Override
  public Optional<Job> get(JobId id) {
    return ask(() -> reading().get(id));
  }

  @Override
  public Page<BatchStats> batches(PageRequest page) {
    return ask(() -> reading().batches().list(page));
  }

  @Override
  public Optional<BatchStats> batch(BatchId id) {
    return ask(() -> reading().batches().get(id));
  }

  @Override
  public Map<CancelResult, Long> cancelBatch(BatchId id) {
    return ask(() -> changing().batches().cancel(id));
  }

  @Override
  public Optional<ExplanationTexts> explain(JobId id) {
    return ask(() -> reading().explain(id)).map(ExplanationTexts::of);
  }

  @Override
  public Page<Job> deadLetters(QueueName queue, DeadFilter filter, PageRequest page) {
    return ask(() -> reading().deadLetters(queue, filter, page));
  }

  @Override
  public VerifyReport verify() {
    return ask(() -> reading().verify());
  }

  @Override
  public Page<String> tables(PageRequest page) {
    return ask(() -> reading().tables(page));
  }

  @Override
  public Page<TableRow<byte[], byte[]>> tableRows(String table, byte[] prefix, PageRequest page) {
    return ask(
        () ->
            reading().table(table, Codec.BYTES, Codec.BYTES).scan(TableRange.prefix(prefix), page));
  }

  @Override
  public <R> R change(JobAction<R> action, JobId id) {
    return ask(() -> action.here().apply(changing(), id));
  }

  @Override
  public long redriveAll(QueueName queue, DeadFilter filter, Checkpointed checkpointed) {
    return ask(() -> letters(queue).redriveAll(filter, checkpointed));
  }

  @Override
  public long deleteAll(QueueName queue, DeadFilter filter) {
    return ask(() -> letters(queue).deleteAll(filter));
  }

  @Override
  public SettingsTexts settings(QueueName queue) {
    return SettingsTexts.of(ask(() -> reading().settings(queue)));
  }

  @Override
  public SettingsTexts settings(String queueName) {
    return SettingsTexts.of(ask(() -> reading().settings(queueName)));
  }

  @Override
  public SettingsTexts configure(QueueName queue, Map<String, String> changes) {
    run(() -> changing().queue(queue).configure(settings -> settings.with(changes)));
    return settings(queue);
  }

  @Override
  public SettingsTexts configure(String queueName, Map<String, String> changes) {
    run(() -> changing().admin().configure(queueName, settings -> settings.with(changes)));
    return settings(queueName);
  }

  @Override
  public void pause(QueueName queue) {
    run(() -> changing().queue(queue).pause());
  }

  @Override
  public void resume(QueueName queue) {
    run(() -> changing().queue(queue).resume());
  }

  @Override
  public boolean endQueueLease(QueueName queue) {
    return ask(() -> changing().admin().endQueueLease(queue));
  }

  @Override
  public DrainResult drain(QueueName queue, Duration waiting) {
    return ask(() -> changing().queue(queue).drain(waiting));
  }

  @Override
  public void endDrain(QueueName queue) {
    run(() -> changing().queue(queue).endDrain());
  }

  @Override
  public long purge(QueueName queue, Set<JobState> states) {
    return ask(() -> changing().queue(queue).purge(states));
  }

  @Override
  public boolean deleteQueue(QueueName queue) {
    return ask(() -> changing().queue(queue).delete());
  }

  @Override
  public long broadcast(QueueName queue, String signal, byte[] payload) {
    return ask(() -> changing().signals().broadcast(queue, signal, payload).wokenCount());
  }

  private DeadLetters letters(QueueName queue) {
    return changing().queue(queue).deadLetters();
  }

  private void run(Runnable change) {
    ask(
        () -> {
          change.run();
          return true;
        });
  }
}
