package io.millrace.protocol;

import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.QueueName;
import io.millrace.api.ReleaseResult;
import io.millrace.api.WaitResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Calls that claim jobs, and those of whoever holds a lease. */
public interface LeaseCalls {

  /** The lease of a completed job, with what came of the job. */
  record Finished(LeaseRef lease, Optional<byte[]> result) {}

  /**
   * A call that claims jobs of the queues, or of all tenants of the names; see {@link
   * io.millrace.api.JobQueues#claim} and {@link io.millrace.api.JobQueues#claimAcrossTenants(List,
   * ClaimOptions)}.
   *
   * @param queues empty if names are given
   * @param tenantsOf names, of whose tenants each has its turn; empty if queues are given
   */
  record Claim(List<QueueName> queues, List<String> tenantsOf, ClaimOptions options)
      implements Call<Claim.Answer> {
    public record Answer(List<Granted> leases) {}
  }

  /**
   * A call that tells what the holder of the lease knows; see {@link
   * io.millrace.api.JobQueues#lease}.
   */
  record LookAtLease(LeaseRef lease) implements Call<LookAtLease.Answer> {
    public record Answer(Granted lease) {}
  }

  /** A call that completes jobs; see {@link io.millrace.api.JobQueues#completeAllWithResults}. */
  record Complete(List<Finished> jobs, Optional<Durability> durability)
      implements Call<Complete.Answer> {
    public record Answer(List<CompleteResult> results) {}
  }

  /** A call that fails attempts; see {@link io.millrace.api.JobQueues#failAll}. */
  record Fail(
      List<LeaseRef> leases, String error, FailOptions options, Optional<Durability> durability)
      implements Call<Fail.Answer> {
    public record Answer(List<FailResult> results) {}
  }

  /**
   * A call that hands jobs back; see {@link io.millrace.api.JobQueues#releaseAll} and {@link
   * io.millrace.api.Lease#release(Duration)}.
   *
   * @param rest for how long the jobs then rest; of one lease only
   */
  record Release(List<LeaseRef> leases, Optional<Duration> rest, Optional<Durability> durability)
      implements Call<Release.Answer> {
    public record Answer(List<ReleaseResult> results) {}
  }

  /**
   * A call that lets a job sleep; see {@link io.millrace.api.Lease#snooze(Instant)}. One of the
   * times is given.
   */
  record Snooze(
      LeaseRef lease,
      Optional<Instant> until,
      Optional<Duration> delay,
      Optional<Durability> durability)
      implements Call<Snooze.Answer> {
    public record Answer(ReleaseResult result) {}
  }

  /**
   * A call that lets a job wait for a signal, or for the end of a batch; see {@link
   * io.millrace.api.Lease#waitFor(String)}. A signal has at most one of the times.
   */
  record WaitFor(
      LeaseRef lease,
      Optional<String> signal,
      Optional<Instant> deadline,
      Optional<Duration> most,
      Optional<BatchId> batch,
      Optional<Durability> durability)
      implements Call<WaitFor.Answer> {
    public record Answer(WaitResult result) {}
  }

  /** A call that extends leases; see {@link io.millrace.api.JobQueues#extendAll}. */
  record Extend(List<LeaseRef> leases, Duration duration, Optional<Durability> durability)
      implements Call<Extend.Answer> {
    public record Answer(List<ExtendResult> results) {}
  }

  /** A call that stores the state of a job; see {@link io.millrace.api.Lease#checkpoint}. */
  record Checkpoint(LeaseRef lease, byte[] state, Optional<Durability> durability)
      implements Call<Checkpoint.Answer> {
    public record Answer(ExtendResult result) {}
  }
}
