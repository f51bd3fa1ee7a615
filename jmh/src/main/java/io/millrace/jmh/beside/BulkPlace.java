package io.millrace.jmh.beside;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.Table;
import io.millrace.api.TableRow;
import io.millrace.engine.JobEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * A new queue and a new table, for one call.
 *
 * @param number the number of the call
 * @param jobCount jobs or rows for a call that may have any number of them
 * @param folder the folder for files
 */
record BulkPlace(JobEngine engine, int number, int jobCount, Path folder) {

  static final int PAYLOAD_BYTES = 256;

  private static final Duration LEASE = Duration.ofHours(1);
  private static final long LOOK_NS = 5_000_000;

  JobQueue queue() {
    return engine.queue(name());
  }

  QueueName name() {
    return QueueName.of("bulk-" + number);
  }

  Table<Long, byte[]> table() {
    return engine.table("bulk-" + number, Codec.LONG, Codec.BYTES);
  }

  static List<NewJob> jobs(int count, EnqueueOptions options) {
    return Collections.nCopies(count, new NewJob(new byte[PAYLOAD_BYTES], options));
  }

  static List<TableRow<Long, byte[]>> rows(long first, int count) {
    return LongStream.range(first, first + count)
        .mapToObj(key -> new TableRow<>(key, new byte[PAYLOAD_BYTES]))
        .toList();
  }

  List<JobId> enqueue(int count, EnqueueOptions options) {
    return enqueue(count, () -> options);
  }

  /** Enqueues jobs in calls of as many as may be, each of which asks for the options anew. */
  List<JobId> enqueue(int count, Supplier<EnqueueOptions> options) {
    List<JobId> ids = new ArrayList<>(count);
    for (int left = count; left > 0; left -= Limits.CALL_JOB_COUNT_MAX) {
      List<NewJob> jobs = jobs(Math.min(left, Limits.CALL_JOB_COUNT_MAX), options.get());
      queue().enqueueAll(jobs).stream().map(Enqueued::jobId).forEach(ids::add);
    }
    return ids;
  }

  /** Leases all jobs of the queue until the given time. */
  void leaseUntil(Instant due) {
    List<Lease> leases;
    do {
      leases = claim(Duration.between(Instant.now(), due));
    } while (!leases.isEmpty());
  }

  /** Enqueues as many jobs as one call may have, and leases them. */
  List<Lease> leases() {
    enqueue(Limits.CALL_JOB_COUNT_MAX, EnqueueOptions.DEFAULT);
    return claim();
  }

  List<Lease> claim() {
    return claim(LEASE);
  }

  private List<Lease> claim(Duration length) {
    List<Lease> leases = new ArrayList<>();
    ClaimOptions claim =
        ClaimOptions.by("bulk").max(Limits.CALL_JOB_COUNT_MAX).leaseDuration(length);
    List<Lease> more;
    do {
      more = queue().claim(claim.max(Limits.CALL_JOB_COUNT_MAX - leases.size()));
      leases.addAll(more);
    } while (!more.isEmpty() && leases.size() < Limits.CALL_JOB_COUNT_MAX);
    return leases;
  }

  void putRows() {
    for (int first = 0; first < jobCount; first += Limits.CALL_ROW_COUNT_MAX) {
      table().putAll(rows(first, Math.min(jobCount - first, Limits.CALL_ROW_COUNT_MAX)));
    }
  }

  void makeDead() {
    forEachClaim(
        leases ->
            engine
                .failAll(leases, "broken", FailOptions.PERMANENT)
                .forEach(result -> result.orThrow()));
  }

  /** Enqueues jobs, claims them, and lets all of them wait for the signal. */
  void makeWaiting(String signal) {
    forEachClaim(
        leases ->
            leases.stream()
                .map(lease -> lease.waitForAsync(signal))
                .toList()
                .forEach(result -> result.join().orThrow()));
  }

  private void forEachClaim(Consumer<List<Lease>> work) {
    enqueue(jobCount, EnqueueOptions.DEFAULT);
    List<Lease> leases = claim();
    while (!leases.isEmpty()) {
      work.accept(leases);
      leases = claim();
    }
  }

  long count(JobState state) {
    return queue().stats().map(QueueStats::counts).map(counts -> counts.get(state)).orElse(0L);
  }

  /** Waits until the queue has no job of the state any more. */
  void awaitNone(JobState state) {
    while (count(state) > 0) {
      LockSupport.parkNanos(LOOK_NS);
    }
  }
}
