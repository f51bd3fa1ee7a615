package io.millrace.internal.state;

import io.millrace.api.Durability;
import io.millrace.api.JobEvent;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.internal.format.JobRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An event of a job's life, with what says when it may be told and whether it happened. */
final class LifeEvent implements JobEvent {

  private static final long NONE = -1;
  private static final EventSink[] NOBODY = {};

  private final Kind kind;
  private final JobId jobId;
  private final QueueName queue;
  private final String type;
  private final int attempt;
  private long atMs;
  private long waitedMs = NONE;
  private long ranMs = NONE;
  private @Nullable String worker;
  private @Nullable String error;
  private @Nullable JobState state;

  /** The listeners that are to be told. Like the fields below, for the loop alone. */
  private EventSink[] sinks = NOBODY;

  private long commit;
  private Durability level = Durability.BUFFERED;
  private @Nullable LeaseEntry started;

  private LifeEvent(Kind kind, QueueName queue, JobId jobId, @Nullable String type, int attempt) {
    this.kind = kind;
    this.queue = queue;
    this.jobId = jobId;
    this.type = type == null ? queue.name() : type;
    this.attempt = attempt;
  }

  /** Creates an event of a job that nobody works on. */
  static LifeEvent of(Kind kind, QueueName queue, int number, JobRecord job, long atMs) {
    LifeEvent event = new LifeEvent(kind, queue, job.jobId(number), job.type(), job.attempts());
    event.atMs = atMs;
    return event;
  }

  /**
   * Sets the job's state from the event on; null, which holds without this call, if the job is
   * gone.
   */
  LifeEvent now(@Nullable JobState value) {
    state = value;
    return this;
  }

  /** Sets the error that the job failed with. */
  LifeEvent failed(String value) {
    error = value;
    return this;
  }

  private static LifeEvent of(Kind kind, QueueName queue, LeaseEntry lease, long atMs) {
    LifeEvent event = new LifeEvent(kind, queue, lease.jobId(), lease.type(), lease.attempt());
    event.atMs = atMs;
    event.worker = lease.worker();
    return event;
  }

  static LifeEvent started(QueueName queue, LeaseEntry lease, JobRecord job) {
    LifeEvent event = of(Kind.CLAIMED, queue, lease, lease.startedAtMs());
    event.waitedMs = Math.max(0, lease.startedAtMs() - job.readyAtMs());
    event.state = JobState.LEASED;
    event.started = lease;
    return event;
  }

  static LifeEvent ended(Kind kind, QueueName queue, LeaseEntry lease, AttemptEnd end, long atMs) {
    LifeEvent event = of(kind, queue, lease, atMs);
    event.ranMs = Math.max(0, atMs - lease.startedAtMs());
    event.state = end.next();
    event.error = end.error();
    return event;
  }

  /**
   * Forgets who is told and which lease was started: the event is told, and keeps nothing of the
   * engine alive for as long as a listener keeps it.
   */
  void forgetHow() {
    sinks = NOBODY;
    started = null;
  }

  /** Sets who is told the event, and the commit that must be this durable before. */
  void tellAfter(EventSink[] listeners, long number, Durability durability) {
    sinks = listeners;
    commit = number;
    level = durability;
  }

  EventSink[] sinks() {
    return sinks;
  }

  long commit() {
    return commit;
  }

  Durability level() {
    return level;
  }

  /**
   * Tells whether the event is a start that its holder was told of and has still: the next batch
   * counts that claim even if this one never happens.
   */
  boolean outlivesBatch() {
    return started != null && started.isTold() && !started.isEnded();
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public JobId jobId() {
    return jobId;
  }

  @Override
  public QueueName queue() {
    return queue;
  }

  @Override
  public String type() {
    return type;
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public Instant at() {
    return Instant.ofEpochMilli(atMs);
  }

  @Override
  public Optional<Duration> waited() {
    return duration(waitedMs);
  }

  @Override
  public Optional<Duration> ran() {
    return duration(ranMs);
  }

  private static Optional<Duration> duration(long ms) {
    return ms == NONE ? Optional.empty() : Optional.of(Duration.ofMillis(ms));
  }

  @Override
  public Optional<String> worker() {
    return Optional.ofNullable(worker);
  }

  @Override
  public Optional<String> error() {
    return Optional.ofNullable(error);
  }

  @Override
  public Optional<JobState> state() {
    return Optional.ofNullable(state);
  }

  @Override
  public String toString() {
    return "JobEvent["
        + kind
        + ", job="
        + jobId
        + ", queue="
        + queue
        + ", type="
        + type
        + ", attempt="
        + attempt
        + ", at="
        + at()
        + "]";
  }
}
