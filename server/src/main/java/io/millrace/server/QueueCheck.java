package io.millrace.server;

import io.millrace.api.Batch;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.NewJob;
import io.millrace.api.NotAllowedException;
import io.millrace.api.QueueName;
import io.millrace.calls.OwnedJobs;
import io.millrace.protocol.LeaseRef;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A check whether what a call names belongs to the queues that its caller's token is for. Whatever
 * does not, or cannot be told, is refused. Belongs to one thread, which may read the store.
 */
final class QueueCheck {

  private final String call;
  private final Set<QueuePattern> allowed;
  private final Handler.Served served;

  QueueCheck(String call, Set<QueuePattern> allowed, Handler.Served served) {
    this.call = call;
    this.allowed = allowed;
    this.served = served;
  }

  void queue(QueueName queue) {
    if (!matches(queue)) {
      throw refused("the token does not allow this queue: queue=" + queue);
    }
  }

  /** Checks the queues of a name, whoever their tenants are. */
  void allTenants(String queueName) {
    if (allowed.stream().noneMatch(each -> each.matchesAllTenants(queueName))) {
      throw refused("the token does not allow the queues of all tenants: name=" + queueName);
    }
  }

  void job(JobId id) {
    if (queueOf(id).filter(this::matches).isEmpty()) {
      throw refused("the job is of no queue that the token allows: job=" + id);
    }
  }

  /** Checks an id that was told for a new job: its queue may be new as well. */
  void newId(JobId id) {
    queueOf(id).ifPresent(this::queue);
  }

  private Optional<QueueName> queueOf(JobId id) {
    if (!(served.queues() instanceof OwnedJobs owned)) {
      throw refused("the queues of this server cannot tell to which of them a job belongs");
    }
    return owned.queueOf(id);
  }

  void lease(LeaseRef lease) {
    job(lease.jobId());
  }

  void leases(List<LeaseRef> leases) {
    leases.forEach(this::lease);
  }

  void newJob(QueueName queue, NewJob job) {
    queue(queue);
    EnqueueOptions options = job.options();
    if (options.batch().isPresent()) {
      shared("a batch");
    }
    if (options.engineConcurrencyKey().isPresent() || options.engineRateKey().isPresent()) {
      shared("a key of the whole engine");
    }
  }

  /** Checks a batch that is new: one that goes on, or is part of another, is of more than these. */
  void newBatch(Batch batch, boolean isOpen) {
    if (isOpen || batch.outer().isPresent()) {
      shared("a batch");
    }
    batch.jobs().forEach(each -> newJob(each.queue(), each.job()));
    batch.following().values().forEach(each -> newJob(each.queue(), each.job()));
  }

  /** Checks the queues of the jobs that are asked for. */
  void jobs(JobFilter filter) {
    if (filter.queueName().isEmpty()) {
      shared("the list of jobs without the name of a queue");
    }
    String name = filter.queueName().orElseThrow();
    filter
        .tenant()
        .ifPresentOrElse(tenant -> queue(new QueueName(name, tenant)), () -> allTenants(name));
  }

  /** Checks a listener of some caller; one that has ended is nobody's. */
  void listening(String id) {
    served
        .listenings()
        .find(id)
        .ifPresent(held -> held.queue().ifPresentOrElse(this::queue, () -> shared("its listener")));
  }

  /** Refuses what belongs to more queues than those of any token. */
  void shared(String what) {
    throw refused(
        "the token is for some queues, and " + what + " is of all: use a token for all queues");
  }

  private boolean matches(QueueName queue) {
    return QueuePattern.matches(allowed, queue);
  }

  private NotAllowedException refused(String why) {
    return new NotAllowedException(
        why
            + ", call="
            + call
            + ", queues of the token="
            + allowed.stream().map(QueuePattern::toString).sorted().toList());
  }
}
