package io.millrace.model;

import io.millrace.api.ClaimOptions;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the model does when a worker asks for jobs. */
public final class ModelClaims {

  private final ReferenceModel model;

  /** For each worker and queue, the first job that did not fit, and what was taken instead. */
  private final Map<List<Object>, Passes> passes = new HashMap<>();

  private long leaseCount;

  private record Passes(int job, int count) {}

  /** The next job of a queue, and the first one before it that does not fit. */
  private record Candidate(ModelJob job, Optional<ModelJob> passedOver) {}

  ModelClaims(ReferenceModel model) {
    this.model = model;
  }

  /** What lighter jobs were taken in place of is forgotten with the engine that counted it. */
  void forgetPasses() {
    passes.clear();
  }

  public List<ModelLease> claim(List<QueueName> from, ClaimOptions options) {
    return claim(from, options, Optional.empty());
  }

  /** By who has the queue for himself. */
  public List<ModelLease> claim(ModelQueueLease through, ClaimOptions options) {
    return claim(List.of(through.queue), options, Optional.of(through));
  }

  /** Whether some job of the queues is there for the claim. */
  public boolean isAnyFor(List<QueueName> asked, ClaimOptions options) {
    return asked.stream()
        .filter(queue -> !model.queueLeases.isKeptFrom(queue, Optional.empty()))
        .anyMatch(queue -> next(queue, options, options.maxWeight()).isPresent());
  }

  private List<ModelLease> claim(
      List<QueueName> asked, ClaimOptions options, Optional<ModelQueueLease> through) {
    List<QueueName> from =
        asked.stream().filter(queue -> !model.queueLeases.isKeptFrom(queue, through)).toList();
    List<ModelLease> taken = new ArrayList<>();
    int[] free = {options.maxWeight()};
    while (taken.size() < options.max()) {
      Optional<Candidate> best =
          from.stream()
              .flatMap(queue -> next(queue, options, free[0]).stream())
              .min(Comparator.comparing(Candidate::job, ModelJob.SERVING));
      if (best.isEmpty()) {
        break;
      }
      ModelJob job = best.get().job();
      best.get().passedOver().ifPresent(heavy -> pass(options, heavy));
      free[0] -= job.options.weight();
      taken.add(lease(job, options));
    }
    return taken;
  }

  private Optional<Candidate> next(QueueName queue, ClaimOptions options, int free) {
    Optional<ModelJob> passedOver = Optional.empty();
    for (ModelJob job : candidates(List.of(queue))) {
      if (!model.rates.mayStart(job)) {
        continue;
      }
      int weight = job.options.weight();
      if (weight <= Math.min(free, options.capacity())) {
        return Optional.of(new Candidate(job, passedOver));
      }
      if (weight <= options.capacity() && passedOver.isEmpty()) {
        passedOver = Optional.of(job);
        if (passCount(options, job) >= ClaimOptions.PASSES_MAX) {
          break;
        }
      }
    }
    return Optional.empty();
  }

  private void pass(ClaimOptions options, ModelJob heavy) {
    Passes next = new Passes(heavy.number, passCount(options, heavy) + 1);
    passes.put(List.of(options.worker(), heavy.queue), next);
  }

  private int passCount(ClaimOptions options, ModelJob heavy) {
    Passes known = passes.get(List.of(options.worker(), heavy.queue));
    return known == null || known.job() != heavy.number ? 0 : known.count();
  }

  /**
   * Whether the order among the claimed queues hangs on something that the specification leaves
   * open.
   */
  public boolean isOrderOpen(List<QueueName> from) {
    Map<List<Long>, QueueName> owners = new HashMap<>();
    return candidates(from).stream()
        .anyMatch(
            job -> {
              QueueName owner =
                  owners.putIfAbsent(
                      List.of((long) job.options.priority(), job.readyStep), job.queue);
              return owner != null && !owner.equals(job.queue);
            });
  }

  private List<ModelJob> candidates(List<QueueName> from) {
    return model.jobs.values().stream()
        .filter(
            job ->
                job.state == JobState.READY
                    && from.contains(job.queue)
                    && !model.queue(job.queue).isPaused)
        .sorted(ModelJob.SERVING)
        .toList();
  }

  /** The job goes to the worker, whatever its place. */
  public ModelLease lease(ModelJob job, ClaimOptions options) {
    Duration duration =
        options
            .leaseDuration()
            .or(job.options::leaseDuration)
            .orElse(model.queue(job.queue).settings.leaseDuration());
    ModelQueue queue = model.queue(job.queue);
    job.state = JobState.LEASED;
    job.attempts++;
    model.keys.start(job);
    queue.count(Total.CLAIMED);
    ModelLease lease =
        new ModelLease(job, queue.maxAttempts(job), options.worker(), duration, model.time);
    lease.order = ++leaseCount;
    job.lease = Optional.of(lease);
    model.rates.start(job, lease);
    job.expireAtMs = 0;
    model.coverage.reach("READY", "claim");
    return lease;
  }
}
