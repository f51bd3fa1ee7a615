package io.millrace.engine;

import io.millrace.api.DeadFilter;
import io.millrace.api.Explanation;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats;
import io.millrace.api.VerifyReport;
import io.millrace.calls.OwnedJobs;
import io.millrace.engine.noted.Noted;
import io.millrace.engine.noted.Troubles;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;

/** The calls of an engine that read its store and change nothing. Any thread. */
abstract class EngineReads implements JobQueues, Noted, OwnedJobs {

  private final EngineCore core;

  EngineReads(EngineCore core) {
    this.core = core;
  }

  /** Returns the parts that this engine and its handles share. */
  final EngineCore core() {
    return core;
  }

  @Override
  public final Troubles troubles() {
    return core.troubles();
  }

  @Override
  public final boolean isClosed() {
    return core.isClosed();
  }

  @Override
  public final Runnable serve(Collection<QueueName> queues, Collection<String> tenantsOf) {
    return core.served().serve(queues, tenantsOf);
  }

  @Override
  public final Optional<QueueName> queueOf(JobId id) {
    return core.read(reader -> reader.queueOf(id));
  }

  @Override
  public Instant now() {
    return Instant.ofEpochMilli(core.latestMs());
  }

  @Override
  public Page<String> tables(PageRequest page) {
    return core.read(reader -> reader.tables(page));
  }

  @Override
  public QueueSettings settings(QueueName queue) {
    return core.read(reader -> reader.settings(queue));
  }

  @Override
  public QueueSettings settings(String queueName) {
    return core.read(reader -> reader.settings(queueName));
  }

  @Override
  public Page<QueueName> queues(PageRequest page) {
    return core.read(reader -> reader.queues(page));
  }

  @Override
  public Optional<QueueStats> stats(QueueName queue) {
    return core.stats(queue);
  }

  @Override
  public Page<QueueStats> stats(PageRequest page) {
    return core.stats(page);
  }

  @Override
  public Page<Job> list(JobFilter filter, PageRequest page) {
    return core.read(reader -> reader.list(filter, page));
  }

  @Override
  public Page<QueueName> activeQueues(Instant now, PageRequest page) {
    return core.read(reader -> reader.activeQueues(now, page));
  }

  @Override
  public Optional<Instant> nextVisible(QueueName queue) {
    return core.read(reader -> reader.nextVisible(queue));
  }

  @Override
  public Page<Job> peek(QueueName queue, JobState state, PageRequest page) {
    return core.read(reader -> reader.peek(queue, state, page));
  }

  @Override
  public Optional<Job> get(JobId id) {
    return core.read(reader -> reader.get(id));
  }

  @Override
  public Optional<Explanation> explain(JobId id) {
    return core.explain(id, queue -> true);
  }

  @Override
  public final Optional<Explanation> explain(JobId id, Predicate<QueueName> isTold) {
    return core.explain(id, isTold);
  }

  @Override
  public Page<Job> deadLetters(QueueName queue, DeadFilter filter, PageRequest page) {
    return core.read(reader -> reader.deadLetters(queue, filter, page));
  }

  @Override
  public VerifyReport verify() {
    return core.read(reader -> reader.verify());
  }
}
