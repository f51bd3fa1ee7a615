package io.millrace.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings.KeyOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Concurrency keys in the model: of each key of a queue, or of the engine, so many jobs are ready
 * or leased, or wait in strict order, and the others are blocked. Nothing is counted: every
 * question is a walk over all jobs.
 */
public final class ModelSlots {

  private final ReferenceModel model;

  /** Keys of which slots were given up while jobs were blocked, in the order of that. */
  private final Set<Key> free = new LinkedHashSet<>();

  private boolean isInCall;

  /** Of no queue: of the engine. */
  private record Key(Optional<QueueName> queue, String key) {

    boolean isOfEngine() {
      return queue.isEmpty();
    }
  }

  ModelSlots(ReferenceModel model) {
    this.model = model;
  }

  static boolean isKeyed(ModelJob job) {
    return job.options.concurrencyKey().or(job.options::engineConcurrencyKey).isPresent();
  }

  /** Whether the job must be blocked if it is not to be put off. */
  boolean mustWait(ModelJob job) {
    return isKeyed(job) && (count(job, JobState.BLOCKED) > 0 || holders(job).size() >= most(job));
  }

  /** Fewer holders than this let the job go on. */
  private int most(ModelJob job) {
    return job.options
        .engineConcurrencyMost()
        .orElseGet(() -> model.queue(job.queue).settings.perKey());
  }

  /** Others of the job's key that hold a slot. */
  public List<ModelJob> holders(ModelJob job) {
    return model.jobs.values().stream()
        .filter(other -> other != job && isHolder(other) && isOf(other, keyOf(job)))
        .toList();
  }

  private static boolean isHolder(ModelJob job) {
    return job.state == JobState.READY || job.state == JobState.LEASED || job.holdsSlot;
  }

  /** Whether the job takes a slot along that it has; one that waited with it has it in any case. */
  boolean keepsInLine(ModelJob job) {
    return keepsAside(job) || job.holdsSlot;
  }

  private boolean keepsAside(ModelJob job) {
    return isHolder(job)
        && job.options.concurrencyKey().isPresent()
        && model.queue(job.queue).settings.keyOrder() == KeyOrder.STRICT;
  }

  /** The job is to wait, for a time or for a signal. */
  void putAside(ModelJob job, JobState state) {
    boolean isKept = keepsAside(job);
    if (!isKept) {
      leave(job);
    }
    job.state = state;
    job.holdsSlot = isKept;
  }

  /** Others of the job's key in the state. */
  private long count(ModelJob job, JobState state) {
    return model.jobs.values().stream()
        .filter(other -> other != job && other.state == state && isOf(other, keyOf(job)))
        .count();
  }

  private static boolean isOf(ModelJob job, Key key) {
    return isKeyed(job) && keyOf(job).equals(key);
  }

  private static Key keyOf(ModelJob job) {
    return job.options
        .engineConcurrencyKey()
        .map(key -> new Key(Optional.empty(), key))
        .orElseGet(
            () -> new Key(Optional.of(job.queue), job.options.concurrencyKey().orElseThrow()));
  }

  /** Where the job's record is when it is blocked: those of keys of the engine first. */
  static final Comparator<ModelJob> BY_KEY =
      Comparator.<ModelJob, Boolean>comparing(job -> !keyOf(job).isOfEngine())
          .thenComparing(job -> keyOf(job).key(), ModelSlots::compare);

  /** The job is about to leave its state: if it holds a slot, that may go to another. */
  void leave(ModelJob job) {
    boolean isHolder = isHolder(job);
    job.holdsSlot = false;
    boolean isInLine =
        job.state == JobState.BLOCKED && job.options.engineConcurrencyKey().isPresent();
    if ((isHolder || isInLine) && isKeyed(job) && count(job, JobState.BLOCKED) > 0) {
      free.add(keyOf(job));
    }
  }

  /** The job has joined the blocked ones, maybe before the others of its key. */
  void join(ModelJob job) {
    if (job.options.engineConcurrencyKey().isPresent()) {
      free.add(keyOf(job));
    }
  }

  /** The operations are one call: slots that they give up are handed on when all are done. */
  public void call(Runnable operations) {
    isInCall = true;
    operations.run();
    isInCall = false;
    handOn();
  }

  /** What was done is over, unless it is a part of a call: slots go to the next. */
  public void handOn() {
    if (!isInCall) {
      model.tallies.settle();
      List<Key> taken = List.copyOf(free);
      free.clear();
      taken.stream().filter(key -> !key.isOfEngine()).forEach(this::fill);
      taken.stream().filter(Key::isOfEngine).forEach(this::fill);
    }
  }

  /** The setting of the queue has changed. */
  void fillAll(QueueName queue) {
    model.jobs.values().stream()
        .filter(job -> job.state == JobState.BLOCKED && job.queue.equals(queue))
        .map(ModelSlots::keyOf)
        .filter(key -> !key.isOfEngine())
        .distinct()
        .sorted(Comparator.comparing(Key::key, ModelSlots::compare))
        .toList()
        .forEach(this::fill);
  }

  /** As keys of the store are: shorter ones first. */
  static int compare(String a, String b) {
    byte[] left = a.getBytes(UTF_8);
    byte[] right = b.getBytes(UTF_8);
    return left.length != right.length
        ? left.length - right.length
        : Arrays.compareUnsigned(left, right);
  }

  private void fill(Key key) {
    List<ModelJob> blocked =
        model.jobs.values().stream()
            .filter(job -> job.state == JobState.BLOCKED && isOf(job, key))
            .sorted(ModelJob.SERVING)
            .toList();
    for (ModelJob next : blocked) {
      if (holders(next).size() >= most(next)) {
        return;
      }
      model.coverage.reach("BLOCKED", "slot");
      model.enterLine(next);
    }
  }
}
