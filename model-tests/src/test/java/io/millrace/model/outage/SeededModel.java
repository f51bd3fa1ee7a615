package io.millrace.model.outage;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.model.Coverage;
import io.millrace.model.ModelEnqueued;
import io.millrace.model.ModelJob;
import io.millrace.model.ModelLease;
import io.millrace.model.ModelQueueLease;
import io.millrace.model.ReferenceModel;
import io.millrace.model.seeds.TurnClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The reference model as a {@link SeededLog} builds it: with every lease that was ever granted, by
 * number, and with what the holders were told.
 */
final class SeededModel {

  final ReferenceModel model;
  private final List<Granted> granted = new ArrayList<>();
  private final List<ModelQueueLease> queueLeases = new ArrayList<>();
  private int bornCount;
  private int recoveredCount;

  /** Steps whose jobs became ready in an order that is not specified. */
  private final Set<Long> openSteps = new HashSet<>();

  /** A lease; one that nobody was told of has no holder. */
  record Granted(ModelLease lease, boolean isTold) {}

  SeededModel(Coverage coverage) {
    this.model = new ReferenceModel(new TurnClock().epochMs(), coverage);
    model.storedOrder =
        Comparator.<ModelJob>comparingInt(job -> queueNumber(job.queue))
            .thenComparing(job -> job.number);
  }

  /** Rises with the queues' births, as their numbers in a store. */
  private int queueNumber(QueueName queue) {
    return List.copyOf(model.queues.keySet()).indexOf(queue);
  }

  /** How many jobs there ever were: the number of the newest. */
  int bornCount() {
    return bornCount;
  }

  int grantedCount() {
    return granted.size();
  }

  /**
   * The lease of this number.
   *
   * @throws NoSuchElementException it was never granted, in this course of events
   */
  ModelLease lease(int number) {
    if (number >= granted.size()) {
      throw new NoSuchElementException("there is no such lease: number=" + number);
    }
    return granted.get(number).lease();
  }

  ModelEnqueued enqueue(QueueName queue, byte[] payload, EnqueueOptions options) {
    ModelEnqueued enqueued = model.offer(queue, payload, options);
    bornCount += enqueued.job().isPresent() ? 1 : 0;
    return enqueued;
  }

  /** Grants what the model's rules say. */
  List<ModelLease> claim(List<QueueName> queues, ClaimOptions options, AnsweredAt told) {
    List<ModelLease> leases = model.claims.claim(queues, options);
    leases.forEach(lease -> tell(lease, told));
    return leases;
  }

  /** The same through a lease on a queue, of this number; nothing if that has ended. */
  List<ModelLease> claimThrough(int number, ClaimOptions options, AnsweredAt told) {
    ModelQueueLease through = queueLease(number);
    List<ModelLease> leases =
        through.isCurrent() ? model.claims.claim(through, options) : List.of();
    leases.forEach(lease -> tell(lease, told));
    return leases;
  }

  /** Answers the number of the new lease, or nothing if somebody has the queue. */
  Optional<Integer> leaseQueue(QueueName queue, String worker, long ms) {
    Optional<ModelQueueLease> lease = model.queueLeases.lease(queue, worker, ms);
    lease.ifPresent(queueLeases::add);
    return lease.map(any -> queueLeases.size() - 1);
  }

  ModelQueueLease queueLease(int number) {
    return queueLeases.get(number);
  }

  /** Numbers of the leases on queues whose end has not come. */
  List<Integer> runningQueueLeases() {
    return IntStream.range(0, queueLeases.size())
        .filter(number -> queueLeaseLeftMs(number) > 0)
        .boxed()
        .toList();
  }

  boolean extendQueueLease(int number, long ms) {
    return model.queueLeases.extend(queueLease(number), ms);
  }

  /** How long a lease on a queue lasts from now on. */
  long queueLeaseLeftMs(int number) {
    ModelQueueLease lease = queueLease(number);
    return lease.isCurrent() ? lease.deadlineMonotonicMs - model.time.monotonicMs() : 0;
  }

  /** The engine goes on, and honours these leases on queues. */
  void honourQueueLeases(List<Integer> numbers) {
    model.queueLeases.honour(numbers.stream().map(queueLeases::get).toList());
  }

  /** Grants this very job, whatever its place. */
  ModelLease grant(int number, ClaimOptions options, AnsweredAt told) {
    ModelJob job = model.jobs.get(number);
    if (job == null || job.state != JobState.READY) {
      throw new AssertionError("a lease was granted on a job that is not ready: " + job);
    }
    putInFront(job);
    ModelLease lease = model.claims.lease(job, options);
    tell(lease, told);
    return lease;
  }

  /** It was served first of those that became ready in an order that is not specified. */
  private void putInFront(ModelJob job) {
    List<ModelJob> entered = model.events.entered(job.queue, openSteps::contains);
    if (entered.contains(job)) {
      model.events.adoptReadyOrder(entered, other -> other == job ? -1 : entered.indexOf(other));
    }
  }

  private void tell(ModelLease lease, AnsweredAt told) {
    if (told.isAnswered()) {
      lease.deadlineMonotonicMs = told.atMs() + lease.grantedMs;
    }
    granted.add(new Granted(lease, told.isAnswered()));
  }

  /**
   * A lease whose batch was lost and whose holder goes on in the same process: answers whether
   * there is still its job.
   */
  boolean restore(ModelLease lost) {
    ModelJob job = model.jobs.get(lost.job.number);
    if (job == null || job.state != JobState.READY) {
      return false;
    }
    ClaimOptions options =
        ClaimOptions.by(lost.worker).leaseDuration(Duration.ofMillis(lost.grantedMs));
    ModelLease lease = model.claims.lease(job, options);
    lease.startedAtMs = lost.startedAtMs;
    granted.add(new Granted(lease, true));
    return true;
  }

  /**
   * Leases of a batch whose outcome was unknown, since the last opening: nobody was told, so nobody
   * has started.
   */
  void handBackUntold() {
    for (Granted grant : granted.subList(recoveredCount, granted.size())) {
      ModelJob job = grant.lease().job;
      boolean isUntold = !grant.isTold() && grant.lease().isCurrent();
      if (isUntold && !model.changes.isCancelledBy(job, "release")) {
        model.holder.handBack(job);
        job.expireAtMs = grant.lease().timeToLiveEndMs;
      }
    }
  }

  /** A clean stop hands all leases back, unless they are honoured. */
  void handBackAll() {
    model.slots.call(this::handBackEach);
  }

  private void handBackEach() {
    for (ModelJob job : List.copyOf(model.jobs.values())) {
      if (job.state == JobState.LEASED && !model.changes.isCancelledBy(job, "close")) {
        model.coverage.reach("LEASED", "close");
        model.holder.handBack(job);
      }
    }
  }

  void purge(int number, JobState state) {
    model.coverage.reach(state.name(), "purge");
    model.remove(Optional.ofNullable(model.jobs.get(number)).orElseThrow(), Total.PURGED);
  }

  boolean hasLeases() {
    return model.jobs.values().stream().anyMatch(job -> job.state == JobState.LEASED);
  }

  void recoverLeases(LeasesAtOpen leasesAtOpen) {
    model.events.recoverLeases(leasesAtOpen);
    openSteps.add(model.events.newestTimeStep());
    recoveredCount = granted.size();
  }

  void fire() {
    model.events.fire();
    openSteps.add(model.events.newestTimeStep());
  }

  /** How many delays and leases have come to their ends and were not dealt with. */
  int dueCount() {
    return (int)
        model
            .events
            .eventsMonotonicMs(EnumSet.of(JobState.LEASED, JobState.DELAYED))
            .takeWhile(eventMs -> eventMs <= model.time.monotonicMs())
            .count();
  }

  /** When the next delay or lease comes to its end. */
  OptionalLong nextDueMs() {
    return LongStream.concat(
            model.events.eventsMonotonicMs(EnumSet.of(JobState.LEASED, JobState.DELAYED)),
            model.queueLeases.all().stream().mapToLong(lease -> lease.deadlineMonotonicMs))
        .filter(eventMs -> eventMs > model.time.monotonicMs())
        .min();
  }

  /** Jobs that became ready in an order that is not specified, for each queue with several. */
  Map<QueueName, List<ModelJob>> openOrders() {
    Map<QueueName, List<ModelJob>> open = new LinkedHashMap<>();
    for (QueueName queue : model.queues.keySet()) {
      List<ModelJob> entered = model.events.entered(queue, openSteps::contains);
      if (entered.size() > 1) {
        open.put(queue, entered);
      }
    }
    return open;
  }

  /**
   * Takes over an order for each queue that has an open one: numbers of its jobs. Where the order
   * is not of all of them it stays open: some were leased when it was seen, and these leases are
   * lost.
   */
  void closeOrders(Map<QueueName, List<Integer>> orders) {
    boolean isClosed = true;
    for (Map.Entry<QueueName, List<ModelJob>> open : openOrders().entrySet()) {
      List<Integer> order = orders.getOrDefault(open.getKey(), List.of());
      if (open.getValue().stream().allMatch(job -> order.contains(job.number))) {
        model.events.adoptReadyOrder(open.getValue(), job -> order.indexOf(job.number));
      } else {
        isClosed = false;
      }
    }
    if (isClosed) {
      openSteps.clear();
    }
  }
}
