package io.millrace.server;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.Limits;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.options.Checks;
import io.millrace.protocol.TransactionCalls.ReserveBatches;
import io.millrace.protocol.TransactionCalls.ReserveJobs;
import io.millrace.protocol.TransactionCalls.Step;
import io.millrace.protocol.TransactionCalls.StepAnswer;
import io.millrace.protocol.TransactionCalls.Transact;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The handlers of transactions: the caller's function has run at the caller, and what it asked for
 * is asked for once more here, in a transaction of the queues. Any thread.
 */
final class TransactionHandlers {

  /** The most ids that are told at a time: as many jobs as a transaction may enqueue. */
  private static final int RESERVED_MAX = Limits.TRANSACTION_OPERATION_COUNT_MAX;

  private final ReservedIds reserved = new ReservedIds();

  /** An end of a transaction that only takes ids, so that nothing of it happens. */
  private static final class NothingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NothingException() {
      super("nothing is to happen", null, false, false);
    }
  }

  List<Handler<?, ?>> all() {
    return List.of(
        Handler.blocking(
            ReserveJobs.class,
            Role.ENQUEUE,
            (queues, call) -> new ReserveJobs.Answer(reserveJobs(queues, call))),
        Handler.blocking(
            ReserveBatches.class,
            Role.ENQUEUE,
            (queues, call) -> new ReserveBatches.Answer(reserveBatches(queues, call))),
        Handler.blocking(Transact.class, TransactionHandlers::roles, this::transact));
  }

  private List<JobId> reserveJobs(JobQueues queues, ReserveJobs call) {
    EnqueueOptions options = EnqueueOptions.DEFAULT.priority(call.priority());
    return reserve(queues, call.count(), tx -> tx.enqueue(call.queue(), new byte[0], options));
  }

  private List<BatchId> reserveBatches(JobQueues queues, ReserveBatches call) {
    return reserve(queues, call.count(), tx -> tx.open(Batch.of("reserved")));
  }

  private <I> List<I> reserve(JobQueues queues, int count, Function<Transaction, I> take) {
    Checks.inRange("count", count, 1, RESERVED_MAX);
    List<I> ids = new ArrayList<>(count);
    try {
      var unused =
          queues.transact(
              tx -> {
                ids.clear();
                for (int i = 0; i < count; i++) {
                  ids.add(take.apply(tx));
                }
                throw new NothingException();
              });
    } catch (NothingException e) {
      reserved.add(ids);
    }
    return List.copyOf(ids);
  }

  /** Returns the roles that the steps need, and those of reading rows. */
  private static Set<Role> roles(Transact call) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    if (!call.reads().isEmpty()) {
      roles.add(Role.WORK);
    }
    call.steps().forEach(step -> roles.add(role(step)));
    return roles;
  }

  private static Role role(Step step) {
    if (step instanceof Step.Enqueue
        || step instanceof Step.Begin
        || step instanceof Step.Seal
        || step instanceof Step.Signal) {
      return Role.ENQUEUE;
    }
    return step instanceof Step.Cancel
            || step instanceof Step.ReleaseJob
            || step instanceof Step.Reschedule
            || step instanceof Step.Update
            || step instanceof Step.Redrive
        ? Role.OPERATE
        : Role.WORK;
  }

  private Transact.Answer transact(JobQueues queues, Transact call) {
    List<Object> ids = call.steps().stream().flatMap(TransactionHandlers::ids).toList();
    if (!reserved.take(ids)) {
      return new Transact.Changed("ids of new jobs or batches", List.of(), List.of(), true);
    }
    // If this throws, nobody may know whether they are used: then they are lost, which costs
    // nothing.
    Transact.Answer answer = carriedOut(queues, call);
    if (!(answer instanceof Transact.Committed)) {
      reserved.add(ids);
    }
    return answer;
  }

  private static Stream<Object> ids(Step step) {
    if (step instanceof Step.Enqueue enqueue) {
      return enqueue.id().<Object>map(id -> id).stream();
    }
    return step instanceof Step.Begin begin
        ? begin.id().<Object>map(id -> id).stream()
        : Stream.of();
  }

  private static Transact.Answer carriedOut(JobQueues queues, Transact call) {
    JobQueues as = Handlers.as(queues, call.durability());
    Replay replay = new Replay(as, call);
    TransactionResult<List<Supplier<StepAnswer>>> result;
    try {
      result = as.transact(replay::run);
    } catch (Replay.ChangedException e) {
      return e.answer();
    }
    if (result instanceof TransactionResult.Committed<List<Supplier<StepAnswer>>> committed) {
      return new Transact.Committed(committed.value().stream().map(Supplier::get).toList());
    } else if (result instanceof TransactionResult.StaleLease<?> stale) {
      return new Transact.StaleLease(stale.jobId());
    } else if (result instanceof TransactionResult.Refused<?> refused) {
      return new Transact.Refused(refused.why());
    }
    TransactionResult.Conflict<?> conflict = (TransactionResult.Conflict<?>) result;
    return new Transact.Changed(conflict.what(), List.of(), List.of(), false);
  }
}
