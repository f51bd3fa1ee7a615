package io.millrace.engine;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Batches;
import io.millrace.api.CancelResult;
import io.millrace.api.JobEnd;
import io.millrace.api.JobFilter;
import io.millrace.api.JobOutput;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.MatchingJobs;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.read.StoredBatches;
import io.millrace.internal.transition.move.TallyRef;
import io.millrace.internal.transition.tally.MarkTally;
import io.millrace.internal.transition.transact.Verdict;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The batches of an engine. What is a batch to users, transitions call a tally. Any thread. */
final class EngineBatches implements Batches {

  private static final Set<JobState> LEFT =
      EnumSet.complementOf(EnumSet.of(JobState.DEAD, JobState.DONE));

  private final EngineCore core;
  private final JobQueues queues;

  EngineBatches(EngineCore core, JobQueues queues) {
    this.core = core;
    this.queues = queues;
  }

  @Override
  public Optional<BatchStats> get(BatchId id) {
    Objects.requireNonNull(id, "id");
    return core.read(reader -> reader.batches(core.leases()::runningOf).get(id));
  }

  @Override
  public Page<BatchStats> list(PageRequest page) {
    Objects.requireNonNull(page, "page");
    return core.read(reader -> reader.batches(core.leases()::runningOf).list(page));
  }

  @Override
  public Page<JobOutput> results(BatchId id, PageRequest page) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(page, "page");
    return core.read(reader -> reader.batches().results(id, page));
  }

  @Override
  public BatchId start(Batch batch) {
    core.functions().check("tx.start");
    return begin(batch, true);
  }

  @Override
  public BatchId open(Batch batch) {
    core.functions().check("tx.open");
    return begin(batch, false);
  }

  private BatchId begin(Batch batch, boolean isSealed) {
    Verdict verdict = core.submitter().call(BatchParts.beginning(batch, isSealed));
    if (verdict instanceof Verdict.Refused refused) {
      refused.why().orThrow();
    }
    return new BatchId((Long) ((Verdict.Done) verdict).answers().get(0));
  }

  @Override
  public void seal(BatchId id) {
    core.functions().check("tx.seal");
    mark(id, MarkTally.sealed(TallyRef.of(id.value())));
  }

  @Override
  public Map<CancelResult, Long> cancel(BatchId id) {
    mark(id, MarkTally.cancelled(TallyRef.of(id.value())));
    JobFilter left = JobFilter.ALL.batch(id).states(LEFT);
    List<QueueName> named = core.read(reader -> reader.batches().queues(id));
    List<JobFilter> filters =
        named.isEmpty() ? List.of(left) : named.stream().map(left::queue).toList();
    Map<CancelResult, Long> counts = new TreeMap<>();
    for (JobFilter filter : filters) {
      MatchingJobs.of(queues, filter)
          .cancel()
          .forEach((result, count) -> counts.merge(result, count, Long::sum));
    }
    Page.stream(page -> core.read(reader -> reader.batches().list(page)))
        .filter(inner -> inner.outer().equals(Optional.of(id)) && !inner.isOver())
        .toList()
        .forEach(inner -> cancelInner(inner.id(), counts));
    Acts.onStore("batch cancelled", "batch=" + id + ", jobs=" + counts);
    return counts;
  }

  private void cancelInner(BatchId inner, Map<CancelResult, Long> counts) {
    try {
      cancel(inner).forEach((result, count) -> counts.merge(result, count, Long::sum));
    } catch (NoSuchBatchException e) {
      // It was over by then, and its retention passed.
      return;
    }
  }

  private void mark(BatchId id, MarkTally mark) {
    boolean isThere = core.submitter().call(mark);
    if (!isThere) {
      throw new NoSuchBatchException(id);
    }
  }

  @Override
  public CompletableFuture<BatchStats> await(BatchId id) {
    CompletableFuture<JobEnd<byte[]>> wait = core.awaits().awaitTally(id.value());
    CompletableFuture<BatchStats> told = new CompletableFuture<>();
    wait.whenComplete(
        (end, thrown) -> {
          if (thrown != null) {
            told.completeExceptionally(thrown);
          } else if (end instanceof JobEnd.Completed<byte[]> over) {
            told.complete(stats(id, over.result()));
          } else {
            told.completeExceptionally(new NoSuchBatchException(id));
          }
        });
    told.whenComplete(
        (stats, thrown) -> {
          if (told.isCancelled()) {
            wait.cancel(false);
          }
        });
    return told;
  }

  private static BatchStats stats(BatchId id, byte[] row) {
    return StoredBatches.stats(id, TallyRecord.decode(TallyKeys.key(id.value()), row), 0);
  }
}
