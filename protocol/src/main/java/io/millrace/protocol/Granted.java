package io.millrace.protocol;

import io.millrace.api.BatchId;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.Wake;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A lease with what its holder knows of the job. */
public record Granted(
    JobId jobId,
    long token,
    QueueName queue,
    String type,
    byte[] payload,
    Map<String, String> headers,
    int attempt,
    int maxAttempts,
    int priority,
    int weight,
    String worker,
    Instant enqueuedAt,
    Duration remaining,
    boolean cancelRequested,
    Optional<byte[]> checkpointed,
    Optional<String> lastError,
    Optional<BatchId> batch,
    Wake wake) {

  public static Granted of(Lease lease) {
    return new Granted(
        lease.jobId(),
        lease.token(),
        lease.queue(),
        lease.type(),
        lease.payload(),
        lease.headers(),
        lease.attempt(),
        lease.maxAttempts(),
        lease.priority(),
        lease.weight(),
        lease.worker(),
        lease.enqueuedAt(),
        lease.remaining(),
        lease.cancelRequested(),
        lease.checkpointed(),
        lease.lastError(),
        lease.batch(),
        lease.wake());
  }
}
