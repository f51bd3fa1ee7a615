package io.millrace.engine;

import io.millrace.api.*;
import io.millrace.spi.*;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Queues in one store. SIGNATURES ONLY: the body is being written. */
public final class JobEngine implements JobReader {

  private JobEngine() {}

  private static RuntimeException soon() { return new IllegalStateException("being written"); }

  /** Location: scheme, colon, folder: {@code lmdb:data/jobs}, {@code memory:name}. */
  public static JobEngine open(String location) { throw soon(); }
  public static JobEngine open(String location, EngineOptions options) { throw soon(); }
  public static JobEngine open(StoreFactory factory, StoreOptions store, EngineOptions options) { throw soon(); }

  /** Opens a store that no engine holds only to look at it: changes nothing. */
  public static JobReader inspect(String location) { throw soon(); }
  public static JobReader inspect(StoreFactory factory, StoreOptions store) { throw soon(); }

  public JobQueue queue(String name) { throw soon(); }
  public JobQueue queue(String name, String tenant) { throw soon(); }
  public JobQueue queue(QueueName name) { throw soon(); }

  /** From several queues: by priority, then ready sequence, across all of them. */
  public List<Lease> claim(List<QueueName> queues, ClaimOptions options) { throw soon(); }
  public CompletableFuture<List<Lease>> claimAsync(List<QueueName> queues, ClaimOptions options) { throw soon(); }

  public List<CompleteResult> completeAll(List<Lease> leases) { throw soon(); }
  public CompletableFuture<List<CompleteResult>> completeAllAsync(List<Lease> leases) { throw soon(); }
  public List<FailResult> failAll(List<Lease> leases, String error, FailOptions options) { throw soon(); }
  public CompletableFuture<List<FailResult>> failAllAsync(List<Lease> leases, String error, FailOptions options) { throw soon(); }
  public List<ReleaseResult> releaseAll(List<Lease> leases) { throw soon(); }
  public CompletableFuture<List<ReleaseResult>> releaseAllAsync(List<Lease> leases) { throw soon(); }
  public List<ExtendResult> extendAll(List<Lease> leases, Duration duration) { throw soon(); }
  public CompletableFuture<List<ExtendResult>> extendAllAsync(List<Lease> leases, Duration duration) { throw soon(); }

  public CancelResult cancel(JobId id) { throw soon(); }

  /** Why the engine refuses all writes, if it does: what a failed write or sync threw. */
  public Optional<Throwable> poison() { throw soon(); }
  /** Whether the store is full, so that only requests that free something are taken. */
  public boolean isFull() { throw soon(); }
  /** After poison: opens the store again under the same handles; leases are honoured. */
  public void reopen() { throw soon(); }

  @Override public Page<QueueName> queues(PageRequest page) { throw soon(); }
  @Override public Optional<QueueStats> stats(QueueName queue) { throw soon(); }
  @Override public Page<Job> peek(QueueName queue, JobState state, PageRequest page) { throw soon(); }
  @Override public Optional<Job> get(JobId id) { throw soon(); }
  @Override public Page<Job> deadLetters(QueueName queue, DeadFilter filter, PageRequest page) { throw soon(); }
  @Override public VerifyReport verify() { throw soon(); }
  /** Takes no more requests, finishes what waits, hands all leases back uncounted, syncs, closes the store. Idempotent. */
  @Override public void close() { throw soon(); }
}
