package io.millrace.client;

import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.EnqueueResult;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
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
    return await(caller, new JobCalls.Await(id, false));
  }

  private static CompletableFuture<JobEnd<byte[]>> await(Caller caller, JobCalls.Await await) {
    return caller.waiting(await, JobCalls.Await.Answer::end, unwanted -> {});
  }

  static CompletableFuture<BatchStats> await(Caller caller, BatchId id) {
    Objects.requireNonNull(id, "id");
    return caller.waiting(
        new BatchCalls.AwaitBatch(id), BatchCalls.AwaitBatch.Answer::batch, unwanted -> {});
  }

  /** Enqueues a job and waits for its end, which the server has for us until then. */
  static CompletableFuture<Submitted<byte[]>> submit(Caller caller, QueueName queue, NewJob job) {
    return caller.later(
        new JobCalls.Submit(queue, job, caller.durability()),
        answer -> {
          answer.refused().ifPresent(EnqueueResult::orThrow);
          JobId id = answer.jobId().orElseThrow();
          return new Submitted<>(id, await(caller, new JobCalls.Await(id, true)));
        });
  }
}
