package io.millrace.client;

import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.Submitted;
import io.millrace.protocol.BatchCalls;
import io.millrace.protocol.JobCalls;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Waits for the ends of jobs and batches, by future; cancelling one ends the wait. */
final class RemoteWaits {

  private RemoteWaits() {}

  static CompletableFuture<JobEnd<byte[]>> await(Caller caller, JobId id) {
    Objects.requireNonNull(id, "id");
    return caller.waiting(new JobCalls.Await(id), JobCalls.Await.Answer::end, unwanted -> {});
  }

  static CompletableFuture<BatchStats> await(Caller caller, BatchId id) {
    Objects.requireNonNull(id, "id");
    return caller.waiting(
        new BatchCalls.AwaitBatch(id), BatchCalls.AwaitBatch.Answer::batch, unwanted -> {});
  }

  /** Enqueues a job and waits for its end from the moment when it is known. */
  static CompletableFuture<Submitted<byte[]>> submit(Caller caller, JobCalls.Enqueue enqueue) {
    return caller.later(
        enqueue,
        answer -> {
          JobId id = answer.results().get(0).orThrow().jobId();
          return new Submitted<>(id, await(caller, id));
        });
  }
}
