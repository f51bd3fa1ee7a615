package io.millrace.client;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Batches;
import io.millrace.api.CancelResult;
import io.millrace.api.JobOutput;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.protocol.BatchCalls;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The batches of a server. Any thread. */
final class RemoteBatches implements Batches {

  private final Caller caller;

  RemoteBatches(Caller caller) {
    this.caller = caller;
  }

  @Override
  public Optional<BatchStats> get(BatchId id) {
    Objects.requireNonNull(id, "id");
    return caller.look(new BatchCalls.GetBatch(id)).batch();
  }

  @Override
  public Page<BatchStats> list(PageRequest page) {
    Objects.requireNonNull(page, "page");
    return caller.look(new BatchCalls.Batches(page)).batches();
  }

  @Override
  public Page<JobOutput> results(BatchId id, PageRequest page) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(page, "page");
    return caller.look(new BatchCalls.BatchResults(id, page)).results();
  }

  @Override
  public BatchId start(Batch batch) {
    return begin(batch, false);
  }

  @Override
  public BatchId open(Batch batch) {
    return begin(batch, true);
  }

  private BatchId begin(Batch batch, boolean isOpen) {
    Objects.requireNonNull(batch, "batch");
    return caller.ask(new BatchCalls.StartBatch(batch, isOpen, caller.durability())).id();
  }

  @Override
  public void seal(BatchId id) {
    Objects.requireNonNull(id, "id");
    caller.ask(new BatchCalls.SealBatch(id, caller.durability()));
  }

  @Override
  public Map<CancelResult, Long> cancel(BatchId id) {
    Objects.requireNonNull(id, "id");
    return caller.ask(new BatchCalls.CancelBatch(id, caller.durability())).counts();
  }

  @Override
  public CompletableFuture<BatchStats> await(BatchId id) {
    return RemoteWaits.await(caller, id);
  }
}
