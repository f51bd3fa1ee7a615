package io.millrace.engine;

import io.millrace.api.JobState;
import io.millrace.api.LeasedQueue;
import io.millrace.api.Limits;
import io.millrace.api.QueueLeaseResult;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.state.Nanos;
import io.millrace.internal.state.QueueLeaseEntry;
import io.millrace.internal.state.QueueLeaseTable;
import io.millrace.internal.transition.lease.EndQueueLease;
import io.millrace.internal.transition.lease.LeaseQueue;
import io.millrace.options.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Leases on whole queues as callers and operators see them. Calls that only look do not wait for
 * the loop. Any thread.
 */
final class QueueLeases {

  private final CommitLoop loop;
  private final QueueLeaseTable table;
  private final Submitter submitter;
  private final Claims claims;

  QueueLeases(CommitLoop loop, QueueLeaseTable table, Submitter submitter, Claims claims) {
    this.loop = loop;
    this.table = table;
    this.submitter = submitter;
    this.claims = claims;
  }

  QueueLeaseResult lease(QueueName queue, String worker, Duration duration) {
    Objects.requireNonNull(queue, "queue");
    Checks.text("worker", worker, 1, Limits.WORKER_BYTES_MAX);
    Checks.inRange("duration", duration, Limits.LEASE_LEAST, Limits.LEASE_MAX);
    LeaseQueue.Answer answer = submitter.call(new LeaseQueue(queue, worker, duration.toMillis()));
    QueueLeaseEntry lease = answer.lease();
    return answer.isGranted()
        ? new QueueLeaseResult.Granted(new QueueLeaseHandle(submitter, claims, lease))
        : new QueueLeaseResult.QueueLeased(queue, lease.worker(), until(lease));
  }

  /** Returns all leases whose holders are told, ordered by queue. */
  List<LeasedQueue> all() {
    return table.all().stream()
        .filter(QueueLeaseEntry::isTold)
        .map(this::shown)
        .sorted(Comparator.comparing(LeasedQueue::queue))
        .toList();
  }

  /** Ends the lease on the queue, whoever holds it. Tells whether there was one. */
  boolean end(QueueName queue) {
    Objects.requireNonNull(queue, "queue");
    boolean wasThere = submitter.call(EndQueueLease.ofAnyone(queue));
    Acts.onQueue("lease on the queue ended", queue, "there=" + wasThere);
    return wasThere;
  }

  /** Adds the lease on the queue, if there is one, to the figures that the store has of it. */
  QueueStats shown(QueueStats stats) {
    QueueLeaseEntry lease = table.find(stats.queue());
    return lease == null || !lease.isTold()
        ? stats
        : new LeasedStats(stats, Optional.of(shown(lease)));
  }

  private LeasedQueue shown(QueueLeaseEntry lease) {
    return new Shown(
        lease.queue(), lease.worker(), Instant.ofEpochMilli(lease.startedAtMs()), until(lease));
  }

  /**
   * Returns when the lease ends. A lease that was granted just now begins to run when its holder is
   * told.
   */
  private Instant until(QueueLeaseEntry lease) {
    Duration left =
        lease.isTold()
            ? Duration.ofNanos(lease.deadlineNs() - submitter.leaseNs())
            : Duration.ofMillis(lease.grantedMs());
    return Instant.ofEpochMilli(loop.latestMs() + Nanos.toMs(left.toNanos()));
  }

  private record Shown(QueueName queue, String worker, Instant since, Instant until)
      implements LeasedQueue {}

  /** A queue's figures from the store, and the lease on the queue, which only the engine knows. */
  private record LeasedStats(QueueStats stored, Optional<LeasedQueue> leasedBy)
      implements QueueStats {

    @Override
    public QueueName queue() {
      return stored.queue();
    }

    @Override
    public Map<JobState, Long> counts() {
      return stored.counts();
    }

    @Override
    public Map<Total, Long> totals() {
      return stored.totals();
    }

    @Override
    public Optional<Duration> oldestReadyAge() {
      return stored.oldestReadyAge();
    }

    @Override
    public Serving serving() {
      return stored.serving();
    }
  }
}
