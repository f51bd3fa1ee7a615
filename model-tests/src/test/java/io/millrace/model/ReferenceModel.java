package io.millrace.model;

import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueSettings.Expiry;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RedriveResult;
import io.millrace.api.ReleaseResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.LongStream;

/**
 * What the engine does, in plain lines: no store, no threads, no cleverness. Every job is one
 * object in one map, every question a walk over all of them.
 *
 * <p>Time moves by {@link #advance} alone, which the caller stops at whatever instant it wants to
 * look at; order that the specification leaves open among jobs that become ready in one such step
 * is taken over from the engine by {@link #adoptReadyOrder}.
 */
final class ReferenceModel {

  final ModelTime time;
  final ModelChanges changes;
  final Map<QueueName, ModelQueue> queues = new LinkedHashMap<>();
  final Map<Integer, ModelJob> jobs = new LinkedHashMap<>();
  private final Coverage coverage;
  private final Map<String, Integer> passes = new HashMap<>();
  private int nextNumber = 1;
  private long nextReadyOrder = 1;
  private long readyStep = 1;
  private long newestTimeStep = 1;

  ReferenceModel(long wallMs, Coverage coverage) {
    this.time = new ModelTime(wallMs);
    this.coverage = coverage;
    this.changes = new ModelChanges(this, coverage);
  }

  // ---- queues

  ModelQueue queue(QueueName name) {
    return queues.computeIfAbsent(name, ModelQueue::new);
  }

  void configure(QueueName name, QueueSettings settings) {
    queue(name).settings = settings;
  }

  void setPaused(QueueName name, boolean isPaused) {
    queue(name).isPaused = isPaused;
  }

  List<ModelJob> jobs(QueueName queue, JobState state) {
    return jobs.values().stream()
        .filter(job -> job.state == state && job.queue.equals(queue))
        .sorted(ModelRules.order(state))
        .toList();
  }

  // ---- enqueue, claim

  /** Answers the new job, or nothing if the queue is full. */
  Optional<ModelJob> enqueue(QueueName name, byte[] payload, EnqueueOptions options) {
    ModelQueue queue = queue(name);
    long waiting = jobs(name, JobState.READY).size() + jobs(name, JobState.DELAYED).size();
    OptionalLong depthMax = queue.settings.depthMax();
    if (depthMax.isPresent() && waiting >= depthMax.getAsLong()) {
      coverage.reach("none", "enqueue, queue full");
      return Optional.empty();
    }
    ModelJob job = new ModelJob(nextNumber++, name, payload, options, time.nowMs());
    jobs.put(job.number, job);
    queue.count(Total.ENQUEUED);
    if (options.visibleAt().isPresent()) {
      waitUntil(job, options.visibleAt().get().toEpochMilli());
    } else {
      waitFor(job, options.delay().toMillis());
    }
    coverage.reach(
        "none", job.state == JobState.READY ? "enqueue, visible now" : "enqueue, visible later");
    return Optional.of(job);
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
    return jobs.values().stream()
        .filter(
            job ->
                job.state == JobState.READY
                    && from.contains(job.queue)
                    && !queue(job.queue).isPaused)
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
            .orElse(queue(job.queue).settings.leaseDuration());
    job.state = JobState.LEASED;
    job.attempts++;
    queue(job.queue).count(Total.CLAIMED);
    ModelLease lease = new ModelLease(job, options.worker(), duration, time);
    job.lease = Optional.of(lease);
    coverage.reach("READY", "claim");
    return lease;
  }

  // ---- what a holder does

  CompleteResult complete(ModelLease lease) {
    if (isRefused(lease, "complete")) {
      return isGone(lease) ? CompleteResult.GONE : CompleteResult.STALE_LEASE;
    }
    remove(lease.job, Total.COMPLETED);
    coverage.reach("LEASED", "complete");
    return CompleteResult.COMPLETED;
  }

  /** How a fail ended: the state that the job went to, or what refused it. */
  enum FailOutcome {
    RETRIED,
    DEAD,
    CANCELLED,
    STALE_LEASE,
    GONE
  }

  FailOutcome fail(ModelLease lease, String error, FailOptions options) {
    if (isRefused(lease, "fail")) {
      return isGone(lease) ? FailOutcome.GONE : FailOutcome.STALE_LEASE;
    }
    ModelJob job = lease.job;
    if (changes.isCancelledBy(job, "fail")) {
      return FailOutcome.CANCELLED;
    }
    boolean isPermanent = options.retry() == FailOptions.Retry.FORBIDDEN;
    job.lastError = Optional.of(ModelRules.cut(error));
    job.isErrorByEngine = false;
    job.lease = Optional.empty();
    if (isPermanent || job.attempts >= job.options.maxAttempts()) {
      coverage.reach("LEASED", isPermanent ? "fail, permanent" : "fail, attempts used up");
      die(job);
      return FailOutcome.DEAD;
    }
    coverage.reach("LEASED", "fail, attempts left");
    queue(job.queue).count(Total.RETRIED);
    waitFor(job, ModelBackoff.waitMs(job.options.backoff(), job.attempts, options));
    return FailOutcome.RETRIED;
  }

  ReleaseResult release(ModelLease lease) {
    if (isRefused(lease, "release")) {
      return isGone(lease) ? ReleaseResult.GONE : ReleaseResult.STALE_LEASE;
    }
    if (changes.isCancelledBy(lease.job, "release")) {
      return ReleaseResult.CANCELLED;
    }
    coverage.reach("LEASED", "release");
    handBack(lease.job);
    return ReleaseResult.RELEASED;
  }

  ReleaseResult snooze(ModelLease lease, Duration delay) {
    return snooze(lease, Objects.requireNonNull(delay), Instant.EPOCH);
  }

  ReleaseResult snooze(ModelLease lease, Instant until) {
    return snooze(lease, Duration.ZERO, until);
  }

  private ReleaseResult snooze(ModelLease lease, Duration delay, Instant until) {
    if (isRefused(lease, "snooze")) {
      return isGone(lease) ? ReleaseResult.GONE : ReleaseResult.STALE_LEASE;
    }
    ModelJob job = lease.job;
    if (changes.isCancelledBy(job, "snooze")) {
      return ReleaseResult.CANCELLED;
    }
    job.lease = Optional.empty();
    job.attempts--;
    queue(job.queue).count(Total.SNOOZED);
    if (until.equals(Instant.EPOCH)) {
      waitFor(job, delay.toMillis());
    } else {
      waitUntil(job, until.toEpochMilli());
    }
    coverage.reach(
        "LEASED", job.state == JobState.READY ? "snooze, visible now" : "snooze, visible later");
    return ReleaseResult.RELEASED;
  }

  /** Answers whether the lease was lengthened. */
  boolean extend(ModelLease lease, Duration duration) {
    if (isRefused(lease, "extend")) {
      return false;
    }
    coverage.reach("LEASED", "extend");
    lengthen(lease, duration.toMillis());
    return true;
  }

  boolean checkpoint(ModelLease lease, byte[] payload) {
    if (isRefused(lease, "checkpoint")) {
      return false;
    }
    coverage.reach("LEASED", "checkpoint");
    lease.job.payload = payload;
    lengthen(lease, lease.grantedMs);
    return true;
  }

  boolean isGone(ModelLease lease) {
    return !jobs.containsKey(lease.job.number);
  }

  private boolean isRefused(ModelLease lease, String operation) {
    boolean isCurrent = !isGone(lease) && lease.job.lease.filter(lease::equals).isPresent();
    if (isCurrent && lease.remainingMs(time) > 0) {
      return false;
    }
    coverage.reach(isGone(lease) ? "none" : lease.job.state.name(), "stale " + operation);
    return true;
  }

  private void lengthen(ModelLease lease, long durationMs) {
    lease.grantedMs = Math.max(lease.grantedMs, durationMs);
    lease.deadlineMonotonicMs =
        Math.max(lease.deadlineMonotonicMs, time.monotonicMs() + durationMs);
  }

  private void handBack(ModelJob job) {
    job.state = JobState.READY;
    job.attempts--;
    job.lease = Optional.empty();
    queue(job.queue).count(Total.RELEASED);
  }

  // ---- what an operator does

  CancelResult cancel(int number) {
    ModelJob job = jobs.get(number);
    coverage.reach(job == null ? "none" : job.state.name(), "cancel");
    if (job == null) {
      return CancelResult.GONE;
    }
    if (job.state == JobState.LEASED) {
      return CancelResult.RUNNING;
    }
    remove(job, Total.CANCELLED);
    return CancelResult.OK;
  }

  List<ModelJob> deadLetters(QueueName queue, DeadFilter filter) {
    return jobs(queue, JobState.DEAD).stream()
        .filter(job -> ModelRules.matches(job, filter))
        .toList();
  }

  RedriveResult redrive(int number) {
    ModelJob job = jobs.get(number);
    coverage.reach(job == null ? "none" : job.state.name(), "redrive");
    if (job == null) {
      return RedriveResult.GONE;
    }
    if (job.state != JobState.DEAD) {
      return RedriveResult.NOT_DEAD;
    }
    job.attempts = 0;
    queue(job.queue).count(Total.REDRIVEN);
    enterReady(job);
    return RedriveResult.REDRIVEN;
  }

  boolean deleteDead(int number) {
    ModelJob job = jobs.get(number);
    coverage.reach(job == null ? "none" : job.state.name(), "delete dead letter");
    if (job == null || job.state != JobState.DEAD) {
      return false;
    }
    remove(job, Total.DELETED);
    return true;
  }

  // ---- time and restarts

  /**
   * When, on the monotonic clock, something happens by itself to jobs of these states: an end of a
   * delay or of a lease.
   */
  LongStream eventsMonotonicMs(Set<JobState> states) {
    return jobs.values().stream()
        .filter(job -> states.contains(job.state))
        .mapToLong(this::eventMonotonicMs)
        .sorted();
  }

  long eventMonotonicMs(ModelJob job) {
    return job.lease
        .map(lease -> lease.deadlineMonotonicMs)
        .orElseGet(() -> job.dueMonotonicMs.orElseGet(() -> time.monotonicWhen(job.visibleAtMs)));
  }

  /** Lets time pass and then does what is due; answers the jobs whose leases ran out. */
  List<ModelJob> advance(long ms) {
    time.advance(ms);
    return fire();
  }

  /** Sets the wall clock; answers the jobs whose leases ran out, of which there are none. */
  List<ModelJob> stepWall(long ms) {
    time.stepWall(ms);
    return fire();
  }

  private List<ModelJob> fire() {
    newestTimeStep = ++readyStep;
    List<ModelJob> due =
        jobs.values().stream()
            .filter(
                job -> job.state == JobState.DELAYED && eventMonotonicMs(job) <= time.monotonicMs())
            .sorted(ModelJob.BY_VISIBLE_AT)
            .toList();
    for (ModelJob job : due) {
      coverage.reach("DELAYED", "due");
      enterReadyInStep(job);
    }
    List<ModelJob> expired =
        jobs.values().stream()
            .filter(
                job -> job.state == JobState.LEASED && eventMonotonicMs(job) <= time.monotonicMs())
            .sorted(Comparator.comparingLong(this::eventMonotonicMs))
            .toList();
    expired.forEach(job -> expire(job, "expiry"));
    readyStep++;
    return expired;
  }

  private void expire(ModelJob job, String event) {
    ModelQueue queue = queue(job.queue);
    queue.count(Total.EXPIRED);
    if (changes.isCancelledBy(job, event)) {
      return;
    }
    job.lease = Optional.empty();
    job.isErrorByEngine = true;
    if (job.attempts >= job.options.maxAttempts()) {
      coverage.reach("LEASED", event + ", attempts used up");
      die(job);
    } else if (queue.settings.expiry() == Expiry.BACKOFF) {
      coverage.reach("LEASED", event + ", attempts left, with backoff");
      waitFor(job, ModelBackoff.waitMs(job.options.backoff(), job.attempts));
    } else {
      coverage.reach("LEASED", event + ", attempts left");
      enterReadyInStep(job);
    }
  }

  /**
   * A clean stop hands all leases back uncounted; an unclean one is dealt with as the setting says.
   * Answers the holders' jobs.
   */
  List<ModelJob> restart(boolean isClean, LeasesAtOpen leasesAtOpen) {
    passes.clear();
    time.reopen();
    List<ModelJob> leased =
        jobs.values().stream().filter(job -> job.state == JobState.LEASED).toList();
    jobs.values().forEach(job -> job.dueMonotonicMs = OptionalLong.empty());
    fire();
    for (ModelJob job : leased) {
      if (isClean) {
        if (!changes.isCancelledBy(job, "close")) {
          coverage.reach("LEASED", "close");
          handBack(job);
        }
      } else if (leasesAtOpen == LeasesAtOpen.RECLAIM) {
        expire(job, "unclean stop");
      } else {
        coverage.reach("LEASED", "unclean stop, leases honoured");
        ModelLease lease = job.lease.orElseThrow();
        lease.deadlineMonotonicMs = time.monotonicMs() + lease.grantedMs;
      }
    }
    readyStep++;
    return leased;
  }

  /**
   * Takes over the engine's order among the jobs of the queue that became ready in the newest step
   * of time.
   */
  void adoptReadyOrder(QueueName queue, ToIntFunction<ModelJob> placeInEngine) {
    List<ModelJob> entered =
        jobs(queue, JobState.READY).stream()
            .filter(job -> job.readyStep >= newestTimeStep)
            .toList();
    List<Long> orders = entered.stream().map(job -> job.readyOrder).sorted().toList();
    List<ModelJob> inEngineOrder =
        entered.stream().sorted(Comparator.comparingInt(placeInEngine)).toList();
    for (int i = 0; i < orders.size(); i++) {
      inEngineOrder.get(i).readyOrder = orders.get(i);
    }
  }

  // ---- transitions

  private void waitFor(ModelJob job, long delayMs) {
    waitUntil(job, time.nowMs() + delayMs);
    job.dueMonotonicMs = OptionalLong.of(time.monotonicMs() + delayMs);
  }

  void waitUntil(ModelJob job, long visibleAtMs) {
    job.dueMonotonicMs = OptionalLong.empty();
    job.visibleAtMs = Math.max(visibleAtMs, time.nowMs());
    if (visibleAtMs <= time.nowMs()) {
      enterReady(job);
    } else {
      job.state = JobState.DELAYED;
    }
  }

  void enterReady(ModelJob job) {
    readyStep++;
    enterReadyInStep(job);
  }

  private void enterReadyInStep(ModelJob job) {
    job.state = JobState.READY;
    job.readyOrder = nextReadyOrder++;
    job.readyStep = readyStep;
    job.readySinceMs = time.nowMs();
  }

  private void die(ModelJob job) {
    job.state = JobState.DEAD;
    job.diedAtMs = time.nowMs();
    queue(job.queue).count(Total.DIED);
  }

  void remove(ModelJob job, Total total) {
    jobs.remove(job.number);
    job.lease = Optional.empty();
    queue(job.queue).count(total);
  }
}
