package io.millrace.client;

import io.millrace.api.BatchId;
import io.millrace.api.JobId;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueName;
import io.millrace.calls.GatheringTransaction;
import io.millrace.protocol.Call;
import io.millrace.protocol.TransactionCalls.ReserveBatches;
import io.millrace.protocol.TransactionCalls.ReserveJobs;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ids that the function of one transaction was given for its new jobs and batches, and is given
 * again when it is called anew. Belongs to one thread.
 *
 * <p>Ids of a queue are asked for a few at a time, twice as many each time: most transactions
 * enqueue one job.
 */
final class ToldIds {

  private static final int STEP_MAX = 1_000;

  private final Caller caller;

  /** The ids by the indices of the operations. */
  private final Map<Integer, JobId> jobs = new HashMap<>();

  /** The queues and priorities for which they were given. */
  private final Map<Integer, Kind> kinds = new HashMap<>();

  private final Map<Integer, BatchId> batches = new HashMap<>();
  private final Map<Integer, Optional<JobId>> holders = new HashMap<>();
  private final Map<Kind, Deque<JobId>> unused = new HashMap<>();
  private final Map<Kind, Integer> asked = new HashMap<>();

  /** The queue and the priority of a new job, which are in its id. */
  private record Kind(QueueName queue, int priority) {}

  ToldIds(Caller caller) {
    this.caller = caller;
  }

  /** Returns the id of the job that the operation of this index enqueues. */
  JobId job(int index, QueueName queue, int priority) {
    Kind kind = new Kind(queue, priority);
    JobId known = jobs.get(index);
    if (known != null && kind.equals(kinds.get(index))) {
      return known;
    }
    JobId id = take(kind);
    jobs.put(index, id);
    kinds.put(index, kind);
    return id;
  }

  private JobId take(Kind kind) {
    Deque<JobId> left = unused.computeIfAbsent(kind, of -> new ArrayDeque<>());
    JobId next = left.poll();
    if (next != null) {
      return next;
    }
    int count = asked.merge(kind, 1, (before, one) -> Math.min(STEP_MAX, 2 * before));
    List<JobId> told =
        ask(new ReserveJobs(kind.queue(), kind.priority(), count), "queue=" + kind.queue())
            .jobIds();
    left.addAll(told.subList(1, told.size()));
    return told.get(0);
  }

  /** Returns the id of the batch that the operation of this index begins. */
  BatchId batch(int index) {
    return batches.computeIfAbsent(
        index, at -> ask(new ReserveBatches(1), "for a batch").batches().get(0));
  }

  /** Makes a call; whatever becomes of it, nothing of the transaction has happened. */
  private <C extends Call<A>, A> A ask(C call, String of) {
    try {
      return caller.ask(call);
    } catch (OutcomeUnknownException e) {
      throw GatheringTransaction.withoutId(of, e);
    }
  }

  /** Returns the job that is known to hold the unique key of the one that is to be enqueued. */
  Optional<JobId> holder(int index) {
    return holders.getOrDefault(index, Optional.empty());
  }

  /** Learns who holds the unique key of the job that the operation of this index enqueues. */
  void learn(int index, Optional<JobId> holder) {
    holders.put(index, holder);
  }

  /** Forgets all ids, which are of no use any more. */
  void forget() {
    jobs.clear();
    kinds.clear();
    batches.clear();
    unused.clear();
  }
}
