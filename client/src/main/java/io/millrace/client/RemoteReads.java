package io.millrace.client;

import io.millrace.api.ConnectedClient;
import io.millrace.api.DeadFilter;
import io.millrace.api.EngineMetrics;
import io.millrace.api.Explanation;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats;
import io.millrace.api.VerifyReport;
import io.millrace.options.Checks;
import io.millrace.protocol.ReadCalls;
import io.millrace.protocol.TableCalls;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The calls of a server's queues that change nothing. Any thread. */
abstract class RemoteReads implements JobQueues {

  private final Caller caller;

  RemoteReads(Caller caller) {
    this.caller = caller;
  }

  /** Returns the way to the server. */
  final Caller caller() {
    return caller;
  }

  @Override
  public Instant now() {
    return caller.look(new ReadCalls.Now()).now();
  }

  @Override
  public Page<QueueName> queues(PageRequest page) {
    Objects.requireNonNull(page, "page");
    return caller.look(new ReadCalls.Queues(page)).queues();
  }

  @Override
  public Optional<QueueStats> stats(QueueName queue) {
    Objects.requireNonNull(queue, "queue");
    return caller.look(new ReadCalls.Stats(queue)).stats();
  }

  @Override
  public Page<QueueStats> stats(PageRequest page) {
    Objects.requireNonNull(page, "page");
    return caller.look(new ReadCalls.AllStats(page)).stats();
  }

  @Override
  public QueueSettings settings(QueueName queue) {
    Objects.requireNonNull(queue, "queue");
    return caller.look(new ReadCalls.Settings(Optional.of(queue), Optional.empty())).settings();
  }

  @Override
  public QueueSettings settings(String queueName) {
    Checks.text("queueName", queueName, 1, Limits.NAME_BYTES_MAX);
    return caller.look(new ReadCalls.Settings(Optional.empty(), Optional.of(queueName))).settings();
  }

  @Override
  public Page<Job> peek(QueueName queue, JobState state, PageRequest page) {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(page, "page");
    return caller.look(new ReadCalls.Peek(queue, state, page)).jobs();
  }

  @Override
  public Optional<Job> get(JobId id) {
    Objects.requireNonNull(id, "id");
    return caller.look(new ReadCalls.Get(id)).job();
  }

  @Override
  public Optional<Explanation> explain(JobId id) {
    Objects.requireNonNull(id, "id");
    return caller.look(new ReadCalls.Explain(id)).explanation();
  }

  @Override
  public Page<Job> deadLetters(QueueName queue, DeadFilter filter, PageRequest page) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(page, "page");
    return caller.look(new ReadCalls.DeadLetters(queue, filter, page)).jobs();
  }

  @Override
  public Page<Job> list(JobFilter filter, PageRequest page) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(page, "page");
    return caller.look(new ReadCalls.Jobs(filter, page)).jobs();
  }

  @Override
  public Page<QueueName> activeQueues(Instant now, PageRequest page) {
    Checks.instant("now", now);
    Objects.requireNonNull(page, "page");
    return caller.look(new ReadCalls.ActiveQueues(now, page)).queues();
  }

  @Override
  public Optional<Instant> nextVisible(QueueName queue) {
    Objects.requireNonNull(queue, "queue");
    return caller.look(new ReadCalls.NextVisible(queue)).at();
  }

  @Override
  public Page<String> tables(PageRequest page) {
    Objects.requireNonNull(page, "page");
    return caller.look(new TableCalls.Tables(page)).names();
  }

  @Override
  public VerifyReport verify() {
    return caller.look(new ReadCalls.Verify()).report();
  }

  /**
   * Returns the figures of what the server's engine does and holds.
   *
   * @throws IllegalArgumentException the server is of an older version, or serves no engine
   */
  public EngineMetrics metrics() {
    return caller.look(new ReadCalls.Metrics()).metrics();
  }

  /**
   * Returns the programs that are connected to the server, this one included, those who came first
   * first.
   *
   * @throws IllegalArgumentException the server is of an older version
   */
  public List<ConnectedClient> clients() {
    return caller.look(new ReadCalls.Clients()).clients();
  }
}
