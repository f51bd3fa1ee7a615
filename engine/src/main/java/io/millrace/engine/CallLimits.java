package io.millrace.engine;

import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Completion;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.QueueLeaseEntry;
import io.millrace.internal.transition.table.RowChange;
import io.millrace.options.Checks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Limits of what callers may hand in at once, checked at the border. */
final class CallLimits {

  private CallLimits() {}

  static List<NewJob> checkJobs(List<NewJob> jobs) {
    Objects.requireNonNull(jobs, "jobs");
    Checks.inRange("number of jobs", jobs.size(), 0, Limits.CALL_JOB_COUNT_MAX);
    long bytes = 0;
    for (NewJob job : jobs) {
      bytes += Objects.requireNonNull(job, "job").contentBytes();
      checkBatch(job, jobs.get(0));
    }
    Checks.inRange("length of all payloads and headers in bytes", bytes, 0, Limits.CALL_BYTES_MAX);
    return jobs;
  }

  private static void checkBatch(NewJob job, NewJob first) {
    if (!job.options().batch().equals(first.options().batch())) {
      throw new IllegalArgumentException(
          "jobs of one call must be of the same batch: first="
              + text(first)
              + ", other="
              + text(job)
              + "; enqueue those of each batch by a call of their own");
    }
  }

  private static String text(NewJob job) {
    return job.options().batch().map(BatchId::toString).orElse("none");
  }

  static List<JobId> ids(List<JobId> jobs) {
    Objects.requireNonNull(jobs, "jobs");
    Checks.inRange("number of jobs", jobs.size(), 0, Limits.CALL_JOB_COUNT_MAX);
    jobs.forEach(job -> Objects.requireNonNull(job, "job"));
    return List.copyOf(jobs);
  }

  static List<Completion> completions(List<Completion> completions) {
    Objects.requireNonNull(completions, "completions");
    Checks.inRange("number of completions", completions.size(), 0, Limits.CALL_JOB_COUNT_MAX);
    long bytes = 0;
    for (Completion completion : completions) {
      bytes += Objects.requireNonNull(completion, "completion").result().length;
    }
    Checks.inRange("length of all results in bytes", bytes, 0, Limits.CALL_BYTES_MAX);
    return completions;
  }

  static void checkRowCount(List<?> rows) {
    Objects.requireNonNull(rows, "rows");
    Checks.inRange("number of rows", rows.size(), 0, Limits.CALL_ROW_COUNT_MAX);
  }

  /** Adds the bytes of a row to those of the rows before, checks the sum and returns it. */
  static long addRow(long bytes, RowChange row) {
    return Checks.inRange(
        "length of all rows in bytes", bytes + row.bytes(), 0, Limits.CALL_BYTES_MAX);
  }

  static ClaimSpec claim(List<QueueName> queues, ClaimOptions options) {
    Objects.requireNonNull(queues, "queues");
    Objects.requireNonNull(options, "options");
    Checks.inRange("number of queues", queues.size(), 1, Limits.CLAIM_QUEUE_COUNT_MAX);
    return new ClaimSpec(
        queues.size() == 1 ? List.of(queues.get(0)) : queues.stream().distinct().toList(),
        options.worker(),
        options.max(),
        options.leaseDuration().map(Duration::toMillis).orElse(0L),
        options.capacity(),
        options.maxWeight(),
        options.maxBytes(),
        options.maxPerQueue(),
        0,
        List.of());
  }

  /** Returns a claim across all tenants of the names. */
  static ClaimSpec claimAcrossTenants(List<String> queueNames, ClaimOptions options) {
    Objects.requireNonNull(queueNames, "queueNames");
    Checks.inRange("number of names", queueNames.size(), 1, Limits.CLAIM_QUEUE_COUNT_MAX);
    ClaimSpec claim = claim(ofDefaultTenants(queueNames), options);
    for (QueueName bounded : claim.maxPerQueue().keySet()) {
      if (!bounded.tenant().isEmpty()) {
        throw new IllegalArgumentException(
            "a claim across tenants has no bound for a single tenant: maxPerQueue="
                + claim.maxPerQueue()
                + "; bound QueueName.of(\""
                + bounded.name()
                + "\"), which stands for all of them, or claim the queues by their names");
      }
    }
    return claim.acrossTenants();
  }

  /**
   * Returns the names as queues of the default tenant. Most claims are of one name, and come too
   * often for a stream.
   */
  private static List<QueueName> ofDefaultTenants(List<String> queueNames) {
    return queueNames.size() == 1
        ? List.of(QueueName.of(queueNames.get(0)))
        : queueNames.stream().map(QueueName::of).toList();
  }

  /** Returns a claim by the holder of a lease on the whole queue. */
  static ClaimSpec claim(QueueLeaseEntry lease, ClaimOptions options) {
    return claim(List.of(lease.queue()), options).through(lease.token());
  }

  /** Returns the leases as this engine's own handles; refuses those of another engine. */
  static List<LeaseHandle> leases(List<Lease> leases, Submitter submitter) {
    Objects.requireNonNull(leases, "leases");
    Checks.inRange("number of leases", leases.size(), 0, Limits.CALL_JOB_COUNT_MAX);
    List<LeaseHandle> handles = new ArrayList<>(leases.size());
    for (Lease lease : leases) {
      if (!(Objects.requireNonNull(lease, "lease") instanceof LeaseHandle handle)
          || !handle.isOf(submitter)) {
        throw new IllegalArgumentException("lease was not granted by this engine: lease=" + lease);
      }
      handles.add(handle);
    }
    return handles;
  }
}
