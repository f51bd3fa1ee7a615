package io.millrace.model;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.UniqueKey;
import io.millrace.api.UniqueKey.OnConflict;
import io.millrace.api.UniqueKey.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Who holds which unique key in the model: who is in the table does, and nobody else. */
public final class ModelKeys {

  private final ReferenceModel model;
  private final Map<Name, Held> held = new LinkedHashMap<>();

  private record Name(QueueName queue, String key) {}

  /** Held by a job until something happens to it; under the scope FOR until a time. */
  private record Held(int job, Scope scope, long untilMs) {}

  ModelKeys(ReferenceModel model) {
    this.model = model;
  }

  /** The job that holds the key, or has held it for a time that has not passed. */
  Optional<Integer> holder(QueueName queue, String key) {
    return Optional.ofNullable(held.get(new Name(queue, key)))
        .filter(it -> it.scope() != Scope.FOR || it.untilMs() > model.time.steadyMs())
        .map(Held::job);
  }

  /** The job that a new one with this key replaces, if it does. */
  Optional<ModelJob> replaced(int holder, UniqueKey key) {
    ModelJob job = model.jobs.get(holder);
    boolean isWaiting =
        job != null
            && (job.state == JobState.READY
                || job.state == JobState.DELAYED
                || job.state == JobState.BLOCKED
                || job.state == JobState.WAITING);
    return isWaiting && key.onConflict() == OnConflict.REPLACE
        ? Optional.of(job)
        : Optional.empty();
  }

  void take(ModelJob job) {
    job.options
        .unique()
        .ifPresent(
            key -> {
              long untilMs = model.time.steadyMs() + key.window().toMillis();
              held.put(new Name(job.queue, key.key()), new Held(job.number, key.scope(), untilMs));
            });
  }

  /** A worker gets the job. */
  void start(ModelJob job) {
    free(job, Scope.UNTIL_STARTED);
  }

  /** The job has ended, if it had not before: whoever holds its key by now keeps it. */
  void end(ModelJob job) {
    free(job, Scope.UNTIL_STARTED);
    free(job, Scope.UNTIL_FINISHED);
  }

  private void free(ModelJob job, Scope scope) {
    job.options
        .unique()
        .map(key -> new Name(job.queue, key.key()))
        .filter(
            name ->
                held.containsKey(name)
                    && held.get(name).job() == job.number
                    && held.get(name).scope() == scope)
        .ifPresent(held::remove);
  }

  /**
   * Keys that were taken for a time are free for good when it has passed, whatever the clock does.
   */
  void sweep() {
    held.values().removeIf(it -> it.scope() == Scope.FOR && it.untilMs() <= model.time.steadyMs());
  }

  /** The queue is deleted. */
  void forget(QueueName queue) {
    held.keySet().removeIf(name -> name.queue().equals(queue));
  }
}
