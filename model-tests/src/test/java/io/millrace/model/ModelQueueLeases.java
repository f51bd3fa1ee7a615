package io.millrace.model;

import io.millrace.api.QueueName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who has which queue for himself in the model. */
public final class ModelQueueLeases {

  private final ReferenceModel model;
  private final Map<QueueName, ModelQueueLease> held = new LinkedHashMap<>();

  ModelQueueLeases(ReferenceModel model) {
    this.model = model;
  }

  /** Those that have not ended. */
  public List<ModelQueueLease> all() {
    return List.copyOf(held.values());
  }

  /** Answers the new lease, or nothing if somebody has the queue. */
  public Optional<ModelQueueLease> lease(QueueName queue, String worker, long ms) {
    if (held.containsKey(queue)) {
      return Optional.empty();
    }
    ModelQueueLease lease = new ModelQueueLease(queue, worker, ms);
    hold(lease, ms);
    return Optional.of(lease);
  }

  /** The queue belongs to the lease's holder for so long from now. */
  private void hold(ModelQueueLease lease, long ms) {
    lease.isEnded = false;
    lease.deadlineMonotonicMs = model.time.monotonicMs() + ms;
    held.put(lease.queue, lease);
  }

  /** The engine goes on after an outage with these: each lasts its full time again. */
  public void honour(List<ModelQueueLease> leases) {
    clear();
    leases.forEach(lease -> hold(lease, lease.grantedMs));
  }

  public boolean extend(ModelQueueLease lease, long ms) {
    if (lease.isCurrent()) {
      lease.grantedMs = Math.max(lease.grantedMs, ms);
      lease.deadlineMonotonicMs =
          Math.max(lease.deadlineMonotonicMs, model.time.monotonicMs() + ms);
    }
    return lease.isCurrent();
  }

  public void close(ModelQueueLease lease) {
    if (lease.isCurrent()) {
      lease.isEnded = true;
      held.remove(lease.queue);
    }
  }

  /** Whoever has the queue; answers whether somebody had. */
  public boolean end(QueueName queue) {
    Optional<ModelQueueLease> lease = Optional.ofNullable(held.get(queue));
    lease.ifPresent(this::close);
    return lease.isPresent();
  }

  /** Whether somebody else has the queue than who claims through this lease, if any. */
  boolean isKeptFrom(QueueName queue, Optional<ModelQueueLease> through) {
    ModelQueueLease lease = held.get(queue);
    return lease != null && through.filter(own -> own == lease).isEmpty();
  }

  /** Ends those whose time is over. */
  void expire() {
    all().stream()
        .filter(lease -> lease.deadlineMonotonicMs <= model.time.monotonicMs())
        .forEach(this::close);
  }

  /** The engine has ended, and they with it. */
  void clear() {
    all().forEach(this::close);
  }
}
