package io.millrace.model;

import io.millrace.api.ClaimOptions;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the model does when a worker asks for jobs. */
final class ModelClaims {

  private final ReferenceModel model;
  private final Map<String, Integer> passes = new HashMap<>();

  ModelClaims(ReferenceModel model) {
    this.model = model;
  }

  /** What lighter jobs were taken in place of is forgotten with the engine that counted it. */
  void forgetPasses() {
    passes.clear();
  }

  List<ModelLease> claim(List<QueueName> from, ClaimOptions options) {
    List<ModelLease> taken = new ArrayList<>();
    List<ModelJob> passed = new ArrayList<>();
    Set<QueueName> waitingForHeavy = new HashSet<>();
    long free = options.maxWeight();
    for (ModelJob job : candidates(from)) {
      int weight = job.options.weight();
      if (taken.size() == options.max()) {
        break;
      }
      if (weight > options.capacity() || waitingForHeavy.contains(job.queue)) {
        continue;
      }
      if (weight > free) {
        passed.add(job);
        if (passes.getOrDefault(passKey(options, job), 0) >= ClaimOptions.PASSES_MAX) {
          waitingForHeavy.add(job.queue);
        }
        continue;
      }
      free -= weight;
      passed.stream()
          .filter(heavy -> heavy.queue.equals(job.queue))
          .forEach(heavy -> passes.merge(passKey(options, heavy), 1, Integer::sum));
      taken.add(lease(job, options));
    }
    return taken;
  }

  /**
   * Whether the order among the claimed queues hangs on something that the specification leaves
   * open.
   */
  boolean isOrderOpen(List<QueueName> from) {
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

  private static String passKey(ClaimOptions options, ModelJob job) {
    return job.number + " " + options.worker();
  }

  private ModelLease lease(ModelJob job, ClaimOptions options) {
    passes.keySet().removeIf(key -> key.startsWith(job.number + " "));
    Duration duration =
        options
            .leaseDuration()
            .or(job.options::leaseDuration)
            .orElse(model.queue(job.queue).settings.leaseDuration());
    job.state = JobState.LEASED;
    job.attempts++;
    model.queue(job.queue).count(Total.CLAIMED);
    ModelLease lease = new ModelLease(job, options.worker(), duration, model.time);
    job.lease = Optional.of(lease);
    model.coverage.reach("READY", "claim");
    return lease;
  }
}
