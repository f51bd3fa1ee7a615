package io.millrace.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Concurrency keys in the model: of each key of a queue, so many jobs are ready or leased, and the
 * others are blocked. Nothing is counted: every question is a walk over all jobs.
 */
public final class ModelSlots {

  private final ReferenceModel model;

  /** Keys of which slots were given up while jobs were blocked, in the order of that. */
  private final Set<Key> free = new LinkedHashSet<>();

  private boolean isInCall;

  private record Key(QueueName queue, String key) {}

  ModelSlots(ReferenceModel model) {
    this.model = model;
  }

  /** Whether the job must be blocked if it is not to be put off. */
  boolean mustWait(ModelJob job) {
    Optional<String> key = job.options.concurrencyKey();
    return key.isPresent()
        && (count(job, JobState.BLOCKED) > 0 || holders(job) >= perKey(job.queue));
  }

  private int perKey(QueueName queue) {
    return model.queue(queue).settings.perKey();
  }

  private long holders(ModelJob job) {
    return count(job, JobState.READY) + count(job, JobState.LEASED);
  }

  /** Others of the job's key in the state. */
  private long count(ModelJob job, JobState state) {
    return model.jobs.values().stream()
        .filter(other -> other != job && other.state == state && isOf(other, keyOf(job)))
        .count();
  }

  private static boolean isOf(ModelJob job, Key key) {
    return job.queue.equals(key.queue())
        && job.options.concurrencyKey().equals(Optional.of(key.key()));
  }

  private static Key keyOf(ModelJob job) {
    return new Key(job.queue, job.options.concurrencyKey().orElseThrow());
  }

  /** The job is about to leave its state: if it holds a slot, that may go to another. */
  void leave(ModelJob job) {
    boolean isHolder = job.state == JobState.READY || job.state == JobState.LEASED;
    boolean isKeyed = job.options.concurrencyKey().isPresent();
    if (isHolder && isKeyed && count(job, JobState.BLOCKED) > 0) {
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
      List<Key> taken = List.copyOf(free);
      free.clear();
      taken.forEach(this::fill);
    }
  }

  /** The setting of the queue has changed. */
  void fillAll(QueueName queue) {
    model.jobs.values().stream()
        .filter(job -> job.state == JobState.BLOCKED && job.queue.equals(queue))
        .map(ModelSlots::keyOf)
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
        model.jobs(key.queue(), JobState.BLOCKED).stream().filter(job -> isOf(job, key)).toList();
    for (ModelJob next : blocked) {
      if (holders(next) >= perKey(key.queue())) {
        return;
      }
      model.coverage.reach("BLOCKED", "slot");
      model.enterLine(next);
    }
  }
}
