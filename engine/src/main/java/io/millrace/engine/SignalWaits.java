package io.millrace.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.BatchId;
import io.millrace.api.JobId;
import io.millrace.api.Limits;
import io.millrace.api.Wake;
import io.millrace.calls.CallLimits;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.transition.job.SendSignal;
import io.millrace.internal.transition.lease.NamedLease;
import io.millrace.internal.transition.lease.WaitFor;
import io.millrace.internal.transition.lease.WaitFor.Deadline;
import io.millrace.options.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Conversions of signals, and of waits for them, between what callers say and what is stored. */
final class SignalWaits {

  private SignalWaits() {}

  static WaitFor waiting(NamedLease lease, String signal) {
    return waiting(lease, signal, new Deadline(Deadline.Kind.NONE, 0));
  }

  static WaitFor waiting(NamedLease lease, String signal, Duration most) {
    long ms = Checks.upTo("most", most, Limits.DELAY_MAX).toMillis();
    return waiting(lease, signal, new Deadline(Deadline.Kind.AFTER, ms));
  }

  static WaitFor waiting(NamedLease lease, String signal, Instant deadline) {
    long ms = Checks.instant("deadline", deadline).toEpochMilli();
    return waiting(lease, signal, new Deadline(Deadline.Kind.AT, ms));
  }

  private static WaitFor waiting(NamedLease lease, String signal, Deadline deadline) {
    return new WaitFor(lease, bytes(signal), deadline);
  }

  /** Creates a request to send a signal. */
  static SendSignal sending(List<JobId> jobs, String signal, byte[] payload) {
    return new SendSignal(jobs, bytes(signal), CallLimits.signalPayload(payload));
  }

  /** Returns the signal's name as bytes, if it is within its limits. */
  static byte[] bytes(String signal) {
    return CallLimits.signal(signal).getBytes(UTF_8);
  }

  /** Returns why the present lease on the job began, as its record tells. */
  static Wake wake(JobRecord job) {
    return switch (job.wakeReason()) {
      case JobRecord.WAKE_RETRY -> new Wake.Retry(Optional.ofNullable(signal(job)));
      case JobRecord.WAKE_SLEPT -> new Wake.Slept();
      case JobRecord.WAKE_SIGNALLED, JobRecord.WAKE_TIMED_OUT, JobRecord.WAKE_TALLIED ->
          Objects.requireNonNullElseGet(signal(job), Wake.First::new);
      default -> new Wake.First();
    };
  }

  /**
   * Returns the end of the job's wait for a signal: the signal, or the timeout, or that a batch is
   * over; null if it waited for none.
   */
  private static @Nullable Wake signal(JobRecord job) {
    byte[] name = job.signal();
    if (name == null) {
      return null;
    }
    if (TallyKeys.isSignal(name)) {
      return new Wake.AfterBatch(new BatchId(TallyKeys.ofSignal(name)));
    }
    byte[] payload = job.signalPayload();
    String signal = new String(name, UTF_8);
    return payload == null
        ? new Wake.TimedOut(signal)
        : new Wake.Signalled(signal, payload.clone());
  }
}
