package io.millrace.engine;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Batches;
import io.millrace.api.CancelResult;
import io.millrace.api.JobEnd;
import io.millrace.api.JobFilter;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.MatchingJobs;
import io.millrace.api.NewJob;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Condition;
import io.millrace.internal.read.StoredBatches;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.move.TallyRef;
import io.millrace.internal.transition.move.TallyTie;
import io.millrace.internal.transition.tally.MarkTally;
import io.millrace.internal.transition.tally.OpenTally;
import io.millrace.internal.transition.transact.Transact;
import io.millrace.internal.transition.transact.TransactionPart;
import io.millrace.internal.transition.transact.Verdict;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
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
  public BatchId start(Batch batch) {
    return begin(batch, true);
  }

  @Override
  public BatchId open(Batch batch) {
    return begin(batch, false);
  }

  private BatchId begin(Batch batch, boolean isSealed) {
    Verdict verdict = core.submitter().call(beginning(batch, isSealed));
    if (verdict instanceof Verdict.Refused refused) {
      refused.why().orThrow();
    }
    return new BatchId((Long) ((Verdict.Done) verdict).answers().get(0));
  }

  /**
   * Returns the beginning of the batch: all of it is carried out, or nothing. Jobs of one queue
   * join together, so that unique keys are judged among all of them.
   */
  private static Transact beginning(Batch batch, boolean isSealed) {
    TallyRef tally = TallyRef.toBegin();
    List<TransactionPart> parts = new ArrayList<>();
    parts.add(
        new TransactionPart.OnJob(
            new OpenTally(
                batch.name(),
                batch.outer().map(BatchId::value).orElse(0L),
                batch.retention().toMillis(),
                tally)));
    byQueue(batch.jobs())
        .forEach((queue, jobs) -> parts.add(joining(queue, jobs, TallyTie.to(tally))));
    batch
        .following()
        .forEach(
            (after, placed) ->
                parts.add(
                    joining(placed.queue(), List.of(placed.job()), tie(placed, tally, after))));
    if (isSealed) {
      parts.add(new TransactionPart.OnJob(MarkTally.sealed(tally)));
    }
    return new Transact(parts, List.of());
  }

  private static Map<QueueName, List<NewJob>> byQueue(List<Batch.Placed> jobs) {
    Map<QueueName, List<NewJob>> byQueue = new LinkedHashMap<>();
    for (Batch.Placed placed : jobs) {
      byQueue.computeIfAbsent(placed.queue(), queue -> new ArrayList<>()).add(placed.job());
    }
    return byQueue;
  }

  private static TransactionPart joining(QueueName queue, List<NewJob> jobs, TallyTie tie) {
    return new TransactionPart.NewJobs(new Enqueue(queue, jobs, tie));
  }

  private static TallyTie tie(Batch.Placed placed, TallyRef awaited, Batch.After after) {
    TallyRef counted =
        placed.job().options().batch().map(id -> TallyRef.of(id.value())).orElse(null);
    Condition condition =
        switch (after) {
          case DONE -> Condition.ENDED;
          case ALL_SUCCEEDED -> Condition.ALL_SUCCEEDED;
          case ANY_DIED -> Condition.ANY_DIED;
        };
    return new TallyTie(counted, awaited, condition);
  }

  @Override
  public void seal(BatchId id) {
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
