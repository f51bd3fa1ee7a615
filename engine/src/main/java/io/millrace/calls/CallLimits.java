package io.millrace.calls;

import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Completion;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.internal.format.JobAddress;
import io.millrace.options.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** Limits of what callers may hand in at once, checked at the border. */
public final class CallLimits {

  private CallLimits() {}

  /** Returns the jobs, if one call may enqueue them. */
  public static List<NewJob> jobs(List<NewJob> jobs) {
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

  /** Returns the ids, if one call may name so many jobs. */
  public static List<JobId> ids(List<JobId> jobs) {
    Objects.requireNonNull(jobs, "jobs");
    Checks.inRange("number of jobs", jobs.size(), 0, Limits.CALL_JOB_COUNT_MAX);
    jobs.forEach(job -> Objects.requireNonNull(job, "job"));
    return List.copyOf(jobs);
  }

  /** Returns the completions, if one call may have them. */
  public static List<Completion> completions(List<Completion> completions) {
    Objects.requireNonNull(completions, "completions");
    Checks.inRange("number of completions", completions.size(), 0, Limits.CALL_JOB_COUNT_MAX);
    long bytes = 0;
    for (Completion completion : completions) {
      bytes += Objects.requireNonNull(completion, "completion").result().length;
    }
    Checks.inRange("length of all results in bytes", bytes, 0, Limits.CALL_BYTES_MAX);
    return completions;
  }

  /** Refuses more rows than one call may change. */
  public static void rowCount(List<?> rows) {
    Objects.requireNonNull(rows, "rows");
    Checks.inRange("number of rows", rows.size(), 0, Limits.CALL_ROW_COUNT_MAX);
  }

  /** Refuses more keys than one call may read. */
  public static void keyCount(List<?> keys) {
    Objects.requireNonNull(keys, "keys");
    Checks.inRange("number of keys", keys.size(), 0, Limits.CALL_ROW_COUNT_MAX);
  }

  /** Adds the bytes of a row to those of the rows before, checks the sum and returns it. */
  public static long addRow(long bytes, int rowBytes) {
    return Checks.inRange(
        "length of all rows in bytes", bytes + rowBytes, 0, Limits.CALL_BYTES_MAX);
  }

  /** Refuses a claim of fewer or more queues than a claim may name. */
  public static void claim(List<QueueName> queues, ClaimOptions options) {
    Objects.requireNonNull(queues, "queues");
    Objects.requireNonNull(options, "options");
    Checks.inRange("number of queues", queues.size(), 1, Limits.CLAIM_QUEUE_COUNT_MAX);
  }

  /**
   * Returns the names as queues of the default tenant, if a claim may be made across all tenants of
   * them. Most claims are of one name, and come too often for a stream.
   */
  public static List<QueueName> claimAcrossTenants(List<String> queueNames, ClaimOptions options) {
    Objects.requireNonNull(queueNames, "queueNames");
    Checks.inRange("number of names", queueNames.size(), 1, Limits.CLAIM_QUEUE_COUNT_MAX);
    List<QueueName> queues =
        queueNames.size() == 1
            ? List.of(QueueName.of(queueNames.get(0)))
            : queueNames.stream().map(QueueName::of).toList();
    claim(queues, options);
    for (QueueName bounded : options.maxPerQueue().keySet()) {
      if (!bounded.tenant().isEmpty()) {
        throw new IllegalArgumentException(
            "a claim across tenants has no bound for a single tenant: maxPerQueue="
                + options.maxPerQueue()
                + "; bound QueueName.of(\""
                + bounded.name()
                + "\"), which stands for all of them, or claim the queues by their names");
      }
    }
    return queues;
  }

  /** Refuses an id that no job can have, and a token that no lease can have. */
  public static void lease(JobId job, long token) {
    if (JobAddress.of(job).isEmpty()) {
      throw new IllegalArgumentException("id is of no job: value=" + job);
    }
    Checks.inRange("token", token, 1, Long.MAX_VALUE);
  }

  /**
   * Returns the leases as handles of the caller's own; refuses those that somebody else granted.
   *
   * @param type the class of the handles
   * @param isOwn tells whether the caller's own engine, or server, granted a lease
   */
  public static <L extends Lease> List<L> leases(
      List<Lease> leases, Class<L> type, Predicate<L> isOwn) {
    Objects.requireNonNull(leases, "leases");
    Checks.inRange("number of leases", leases.size(), 0, Limits.CALL_JOB_COUNT_MAX);
    List<L> handles = new ArrayList<>(leases.size());
    for (Lease lease : leases) {
      if (!type.isInstance(Objects.requireNonNull(lease, "lease"))
          || !isOwn.test(type.cast(lease))) {
        throw new IllegalArgumentException("lease was not granted by this engine: lease=" + lease);
      }
      handles.add(type.cast(lease));
    }
    return handles;
  }

  /** Returns the name of a signal, if it is within its limits. */
  public static String signal(String signal) {
    return Checks.text("signal", signal, 1, Limits.KEY_BYTES_MAX);
  }

  /**
   * Returns a copy of a signal's payload, if it is within its limit: the caller may change it while
   * the answer is on its way, or lost.
   */
  public static byte[] signalPayload(byte[] payload) {
    Objects.requireNonNull(payload, "payload");
    return Checks.bytes("signal payload", payload, Limits.SIGNAL_BYTES_MAX).clone();
  }
}
