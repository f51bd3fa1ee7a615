package io.millrace.api;

import io.millrace.options.Checks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A batch to be started: many jobs that are one to their user, and the jobs that come after them.
 *
 * <pre>{@code
 * BatchId id =
 *     Batch.of("import 2026-11")
 *         .add(READ, "north.csv")
 *         .add(READ, "south.csv")
 *         .whenAllSucceeded(PUBLISH, "2026-11")
 *         .whenAnyDied(ALERT, "the import of 2026-11")
 *         .start(engine);
 * }</pre>
 *
 * <p>A job of a batch is a job like others, in any queue, with options of its own. Whatever ends it
 * counts, once: it is completed, becomes a dead letter, is cancelled, expires, or is purged or
 * deleted with its queue. A batch is over when it is sealed and none of its jobs is left. Jobs that
 * come after it, one of each kind, wait until then ({@link JobState#WAITING}), and go on with the
 * commit that ends the last job of the batch:
 *
 * <ul>
 *   <li>{@link #whenDone} in any case;
 *   <li>{@link #whenAllSucceeded} if all jobs were completed;
 *   <li>{@link #whenAnyDied} if a job is a dead letter, or was one that is removed by now.
 * </ul>
 *
 * <p>A dead letter of the batch that is redriven counts as left again, and so the batch goes on and
 * is over once more when it ends; a job that comes after it and has gone on is not started twice.
 * Once a batch is over and has no dead letters, those that wait for what can no longer be are
 * cancelled, and its {@link #retention} begins. After that nothing of the batch is left.
 *
 * <p>A mutable builder for one thread; {@link Batches#start} takes what is in it then, and it may
 * be changed and started again.
 */
public final class Batch {

  /** The time for which a batch is kept by default, once it is over without dead letters. */
  public static final Duration RETENTION_DEFAULT = Duration.ofDays(7);

  /** The conditions under which a job comes after a batch. */
  public enum After {
    /** The batch is over. */
    DONE,
    /** The batch is over, and all of its jobs were completed. */
    ALL_SUCCEEDED,
    /** The batch is over, and a job of it is a dead letter, or was one. */
    ANY_DIED
  }

  /**
   * A job and its queue.
   *
   * @param queue the queue that it is to join
   * @param job its payload and options
   */
  public record Placed(QueueName queue, NewJob job) {

    public Placed {
      Objects.requireNonNull(queue, "queue");
      Objects.requireNonNull(job, "job");
    }
  }

  private final String name;
  private final List<Placed> jobs = new ArrayList<>();
  private final Map<After, Placed> following = new EnumMap<>(After.class);
  private Duration retention = RETENTION_DEFAULT;
  private Optional<BatchId> outer = Optional.empty();
  private boolean keepsResults;
  private long contentBytes;

  private Batch(String name) {
    this.name = name;
  }

  /**
   * Begins a batch without jobs.
   *
   * @param name the name for people, which need not be unique: 0 to {@value Limits#NAME_BYTES_MAX}
   *     bytes of UTF-8
   * @throws IllegalArgumentException the name is longer, or is not valid Unicode
   */
  public static Batch of(String name) {
    return new Batch(Checks.text("name of the batch", name, 0, Limits.NAME_BYTES_MAX));
  }

  /**
   * Adds a job of the type, with the type's options.
   *
   * @throws IllegalArgumentException as {@link JobType#newJob(Object)} and {@link #add(QueueName,
   *     NewJob)}
   */
  public <T> Batch add(JobType<T> type, T payload) {
    return add(type.queueName(), type.newJob(payload));
  }

  /**
   * Adds a job of the type with the options that the function makes of the type's.
   *
   * @throws IllegalArgumentException as {@link JobType#newJob(Object, UnaryOperator)} and {@link
   *     #add(QueueName, NewJob)}
   */
  public <T> Batch add(JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    return add(type.queueName(), type.newJob(payload, options));
  }

  /**
   * Adds a job. Its payload must not be changed before the batch is started.
   *
   * @throws IllegalArgumentException the job names a {@link EnqueueOptions#batch}; or with it the
   *     batch has more than {@value Limits#CALL_JOB_COUNT_MAX} jobs, or {@value
   *     Limits#CALL_BYTES_MAX} bytes of payloads and headers, together with the jobs that come
   *     after it. It is not added
   */
  public Batch add(QueueName queue, NewJob job) {
    Placed placed = new Placed(queue, job);
    if (job.options().batch().isPresent()) {
      throw new IllegalArgumentException(
          "job is of another batch: batch=" + job.options().batch().get() + "; leave that out");
    }
    checkRoom(job);
    jobs.add(placed);
    return this;
  }

  private void checkRoom(NewJob job) {
    if (jobs.size() + following.size() + 1 > Limits.CALL_JOB_COUNT_MAX) {
      throw new IllegalArgumentException(
          "batch has more jobs than one call may enqueue: most="
              + Limits.CALL_JOB_COUNT_MAX
              + "; open it, and enqueue the others with EnqueueOptions.batch");
    }
    contentBytes =
        Checks.inRange(
            "length of all payloads and headers in bytes",
            contentBytes + job.contentBytes(),
            0,
            Limits.CALL_BYTES_MAX);
  }

  /**
   * Lets a job of the type, with the type's options, come after the batch in any case.
   *
   * @throws IllegalArgumentException as {@link JobType#newJob(Object)} and {@link
   *     #whenDone(QueueName, NewJob)}
   */
  public <T> Batch whenDone(JobType<T> type, T payload) {
    return whenDone(type.queueName(), type.newJob(payload));
  }

  /**
   * Lets a job come after the batch in any case.
   *
   * @throws IllegalArgumentException such a job was named before; or this one has a unique key, a
   *     delay or a time to live, which a job that waits for a batch cannot have; or the batch has
   *     too many jobs ({@link #add(QueueName, NewJob)}). Nothing is changed
   */
  public Batch whenDone(QueueName queue, NewJob job) {
    return follow(After.DONE, queue, job);
  }

  /**
   * Lets a job of the type, with the type's options, come after the batch if all of its jobs were
   * completed.
   *
   * @throws IllegalArgumentException as {@link #whenDone(JobType, Object)}
   */
  public <T> Batch whenAllSucceeded(JobType<T> type, T payload) {
    return whenAllSucceeded(type.queueName(), type.newJob(payload));
  }

  /**
   * Lets a job come after the batch if all of its jobs were completed.
   *
   * @throws IllegalArgumentException as {@link #whenDone(QueueName, NewJob)}
   */
  public Batch whenAllSucceeded(QueueName queue, NewJob job) {
    return follow(After.ALL_SUCCEEDED, queue, job);
  }

  /**
   * Lets a job of the type, with the type's options, come after the batch if one of its jobs died.
   *
   * @throws IllegalArgumentException as {@link #whenDone(JobType, Object)}
   */
  public <T> Batch whenAnyDied(JobType<T> type, T payload) {
    return whenAnyDied(type.queueName(), type.newJob(payload));
  }

  /**
   * Lets a job come after the batch if one of its jobs died.
   *
   * @throws IllegalArgumentException as {@link #whenDone(QueueName, NewJob)}
   */
  public Batch whenAnyDied(QueueName queue, NewJob job) {
    return follow(After.ANY_DIED, queue, job);
  }

  private Batch follow(After after, QueueName queue, NewJob job) {
    Placed placed = new Placed(queue, job);
    if (following.containsKey(after)) {
      throw new IllegalArgumentException(
          "one job of each kind comes after a batch: kind="
              + after
              + "; let that job enqueue the others");
    }
    EnqueueOptions options = job.options();
    refuse("unique", options.unique().isPresent());
    refuse("visibleAt", options.visibleAt().isPresent());
    refuse("delay", !options.delay().isZero());
    refuse("timeToLive", options.timeToLive().isPresent());
    checkRoom(job);
    following.put(after, placed);
    return this;
  }

  private static void refuse(String option, boolean isSet) {
    if (isSet) {
      throw new IllegalArgumentException(
          "a job that waits for a batch cannot have the option: name=" + option + "; leave it out");
    }
  }

  /**
   * Sets how long the batch is kept once it is over and has no dead letters, in place of {@link
   * #RETENTION_DEFAULT}.
   *
   * @throws IllegalArgumentException the value is out of its range, zero to {@link
   *     Limits#DELAY_MAX}
   */
  public Batch retention(Duration value) {
    retention = Checks.upTo("retention", value, Limits.DELAY_MAX);
    return this;
  }

  /**
   * Lets the batch count as one job of an outer batch, which must not be over: as left until this
   * batch is over, and then as completed, as dead, or as what else its jobs have become. Batches
   * are within each other at most {@value Limits#BATCH_DEPTH_MAX} deep.
   */
  public Batch within(BatchId value) {
    outer = Optional.of(Objects.requireNonNull(value, "outer"));
    return this;
  }

  /**
   * Lets the batch keep the results of its jobs, for as long as it is kept itself: {@link
   * BatchReader#results} has them. Otherwise a job's result is kept as {@link
   * Lease#complete(byte[])} says, and no longer.
   */
  public Batch keepResults() {
    keepsResults = true;
    return this;
  }

  public String name() {
    return name;
  }

  /** Returns the batch that this one is to count in. */
  public Optional<BatchId> outer() {
    return outer;
  }

  public Duration retention() {
    return retention;
  }

  /** Tells whether the results of its jobs are kept with it. */
  public boolean keepsResults() {
    return keepsResults;
  }

  /** Returns the jobs that were added, in their order, without those that come after the batch. */
  public List<Placed> jobs() {
    return Collections.unmodifiableList(jobs);
  }

  /** Returns the jobs that come after the batch, by their conditions. */
  public Map<After, Placed> following() {
    return Collections.unmodifiableMap(following);
  }

  /**
   * Starts the batch; see {@link Batches#start}.
   *
   * @throws EnqueueRefusedException as {@link Batches#start}
   * @throws IllegalArgumentException as {@link Batches#start}
   * @throws io.millrace.MillraceException as {@link Batches#start}
   */
  public BatchId start(JobQueues queues) {
    return queues.batches().start(this);
  }

  /**
   * Begins the batch without a seal, so that more jobs can be added; see {@link Batches#open}.
   *
   * @throws EnqueueRefusedException as {@link Batches#start}
   * @throws IllegalArgumentException as {@link Batches#start}
   * @throws io.millrace.MillraceException as {@link Batches#start}
   */
  public BatchId open(JobQueues queues) {
    return queues.batches().open(this);
  }
}
