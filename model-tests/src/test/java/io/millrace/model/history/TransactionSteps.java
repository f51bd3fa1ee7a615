package io.millrace.model.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.AfterCommit;
import io.millrace.api.BatchId;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.model.ModelEnqueued;
import io.millrace.model.ModelLease;
import io.millrace.model.ModelQueue;
import io.millrace.model.ModelTally;
import io.millrace.model.ReferenceModel;
import io.millrace.model.history.Op.Ending;
import io.millrace.model.history.World.Held;
import io.millrace.model.rig.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** The steps of a history in which several operations happen together or not at all. */
final class TransactionSteps {

  private static final int PART_COUNT_MAX = 6;

  private final World world;
  private int payloadCount;

  TransactionSteps(World world) {
    this.world = world;
  }

  /** What is asked for in a transaction. */
  private sealed interface Act {

    record NewJob(QueueName queue, byte[] payload, EnqueueOptions options) implements Act {}

    /**
     * Ends a lease, of which there may be one such act in a transaction, or lengthens it before, or
     * keeps a state.
     */
    sealed interface OfLease extends Act {
      Held held();

      default boolean isEnd() {
        return !(this instanceof End end
            && (end.ending() == Ending.EXTEND || end.ending() == Ending.CHECKPOINT));
      }
    }

    record End(Held held, Ending ending, int seconds) implements OfLease {

      /** Some are short, and some have rows of their own. */
      byte[] state() {
        return new byte[seconds % 2 == 0 ? 100 * seconds : 5_000 + seconds];
      }
    }

    /** The job waits so many seconds at most; -1 for as long as it takes. */
    record Wait(Held held, String signal, int seconds) implements OfLease {}

    /** Of a job that is there, or that an earlier act makes. */
    record Change(Op op, Target target) implements Act {}

    /** A signal to such a job. */
    record Send(Target target, String signal, String payload) implements Act {}
  }

  /** A job by its number in the model, or by the act that enqueues it. */
  private record Target(int number, int act) {}

  /** What came of an act: the id of a new job, or an answer that is known after the commit. */
  private record Told(Optional<JobId> id, AfterCommit<?> answer) {}

  static Arbitrary<Op> any() {
    Arbitrary<Op> enqueue =
        Combinators.combine(Histories.queueNumber(), Histories.shape())
            .as((queue, shape) -> new Op.Enqueue(queue, 1, shape));
    Arbitrary<Op> finish =
        Combinators.combine(
                Arbitraries.of(
                    Ending.COMPLETE,
                    Ending.COMPLETE,
                    Ending.FAIL,
                    Ending.FAIL_PERMANENTLY,
                    Ending.EXTEND,
                    Ending.EXTEND,
                    Ending.CHECKPOINT,
                    Ending.CHECKPOINT,
                    Ending.RELEASE,
                    Ending.SNOOZE_FOR,
                    Ending.SNOOZE_UNTIL),
                Histories.leaseNumber(),
                Histories.seconds())
            .as(Op.Finish::new);
    Arbitrary<Integer> job = Histories.number(12);
    return Arbitraries.frequencyOf(
            Tuple.of(5, enqueue),
            Tuple.of(2, BatchSteps.joining()),
            Tuple.of(6, finish),
            Tuple.of(3, SignalSteps.waiting(Histories.leaseNumber())),
            Tuple.of(3, SignalSteps.sending(job)),
            Tuple.of(1, Combinators.combine(job, Arbitraries.of(-5, 2, 10)).as(Op.Reschedule::new)),
            Tuple.of(2, job.map(Op.RequestCancel::new)),
            Tuple.of(1, job.map(Op.Cancel::new)),
            Tuple.of(2, job.map(Op.ReleaseJob::new)),
            Tuple.of(
                1,
                Combinators.combine(job, Arbitraries.of(Checkpointed.class)).as(Op.Redrive::new)))
        .list()
        .ofMinSize(1)
        .ofMaxSize(PART_COUNT_MAX)
        .flatMap(parts -> between().map(op -> new Op.Transact(parts, op)));
  }

  /** Nothing for the most part; or jobs go, and perhaps their queue, whose number was told. */
  private static Arbitrary<Optional<Op>> between() {
    Arbitrary<Integer> queue = Histories.queueNumber();
    Arbitrary<Op> purge =
        Combinators.combine(queue, Arbitraries.of(1, 2, 19, 51)).as(Op.Purge::new);
    Arbitrary<Op> delete = queue.map(Op.DeleteQueue::new);
    return Arbitraries.frequencyOf(
        Tuple.of(8, Arbitraries.just(Optional.empty())),
        Tuple.of(1, purge.map(Optional::of)),
        Tuple.of(1, delete.map(Optional::of)));
  }

  /** With what somebody else does in between, once. */
  void run(Op.Transact step, Runnable between) {
    List<Act> acts = acts(step.parts());
    List<Told> told = new ArrayList<>();
    AtomicInteger calls = new AtomicInteger();

    TransactionResult<Integer> result =
        world
            .engine()
            .transact(
                tx -> {
                  told.clear();
                  acts.forEach(act -> told.add(ask(tx, act, told)));
                  if (calls.incrementAndGet() == 1) {
                    Await.another(between);
                  }
                  return told.size();
                });

    Optional<TransactionResult<Integer>> obstacle = obstacle(acts);
    assertThat(result)
        .isEqualTo(obstacle.orElseGet(() -> new TransactionResult.Committed<>(acts.size())));
    if (obstacle.isEmpty()) {
      world.model.slots.call(() -> compare(acts, told));
    }
  }

  private List<Act> acts(List<Op> parts) {
    List<Act> acts = new ArrayList<>();
    Set<JobId> ended = new HashSet<>();
    for (Op part : parts) {
      if (part instanceof Op.Enqueue enqueue) {
        QueueName queue = Histories.queue(enqueue.queue());
        // Whether there is room would depend on what becomes of the others.
        if (!isLimited(queue) || acts.stream().allMatch(Act.NewJob.class::isInstance)) {
          acts.add(newJob(queue, enqueue.shape(), Optional.empty()));
        }
      } else if (part instanceof BatchSteps.Join join) {
        QueueName queue = Histories.queue(join.queue());
        Optional<ModelTally> tally = batch(join.batch());
        if (tally.isPresent() && !isLimited(queue)) {
          acts.add(newJob(queue, join.shape(), Optional.of(tally.get().id)));
        }
      } else {
        ofLease(part).filter(act -> isAllowed(act, ended)).ifPresent(acts::add);
        target(part, acts).ifPresent(target -> acts.add(change(part, target)));
      }
    }
    return acts;
  }

  private static boolean isAllowed(Act.OfLease act, Set<JobId> ended) {
    JobId job = act.held().engine().jobId();
    return act.isEnd() ? ended.add(job) : !ended.contains(job);
  }

  private Optional<Act.OfLease> ofLease(Op part) {
    if (world.held.isEmpty()) {
      return Optional.empty();
    } else if (part instanceof Op.Finish finish) {
      Held held = world.chosenLease(finish.lease());
      return Optional.of(new Act.End(held, finish.ending(), finish.seconds()));
    } else if (part instanceof SignalSteps.WaitFor wait) {
      Held held = world.chosenLease(wait.lease());
      return Optional.of(new Act.Wait(held, SignalSteps.NAMES.get(wait.signal()), wait.seconds()));
    }
    return Optional.empty();
  }

  private Act change(Op part, Target target) {
    return part instanceof SignalSteps.Send send
        ? new Act.Send(target, SignalSteps.NAMES.get(send.signal()), "together " + ++payloadCount)
        : new Act.Change(part, target);
  }

  private boolean isLimited(QueueName queue) {
    return known(queue).filter(it -> it.settings.depthMax().isPresent()).isPresent();
  }

  /** A queue that is only asked about does not come to be by that. */
  private Optional<ModelQueue> known(QueueName queue) {
    return Optional.ofNullable(world.model.queues.get(queue));
  }

  /** The batch of the number, unless a redrive of the same transaction may let it go on. */
  private Optional<ModelTally> batch(int number) {
    return world
        .model
        .tallies
        .chosen(number)
        .filter(tally -> tally.isJoinable() || !world.model.tallies.hasDead(tally));
  }

  private Act newJob(QueueName queue, JobShape shape, Optional<BatchId> batch) {
    JobShape kept = isLimited(queue) ? shape.with(shape.visible(), 0) : shape;
    EnqueueOptions options = kept.limitedOptions(world.harness.clock().epochMs());
    return new Act.NewJob(
        queue,
        kept.payload(-5_000_000 - ++payloadCount),
        batch.map(options::batch).orElse(options));
  }

  /** Small numbers are jobs of the same transaction, as far as it has any. */
  private Optional<Target> target(Op part, List<Act> acts) {
    OptionalInt job = job(part);
    if (job.isEmpty()) {
      return Optional.empty();
    }
    int number = job.getAsInt();
    Optional<Act> own = number < acts.size() ? Optional.of(acts.get(number)) : Optional.empty();
    if (own.filter(Act.NewJob.class::isInstance).isPresent()) {
      return Optional.of(new Target(0, number));
    } else if (own.isPresent() && own.get() instanceof Act.OfLease lease) {
      return Optional.of(new Target(lease.held().model().job.number, -1));
    }
    return world.chosenJob(number).map(known -> new Target(known, -1));
  }

  /** The number of the job that is named by its id; empty if none is. */
  private static OptionalInt job(Op part) {
    if (part instanceof Op.Reschedule reschedule) {
      return OptionalInt.of(reschedule.job());
    } else if (part instanceof Op.RequestCancel cancel) {
      return OptionalInt.of(cancel.job());
    } else if (part instanceof Op.Cancel cancel) {
      return OptionalInt.of(cancel.job());
    } else if (part instanceof Op.ReleaseJob release) {
      return OptionalInt.of(release.job());
    } else if (part instanceof SignalSteps.Send send) {
      return OptionalInt.of(send.job());
    }
    return part instanceof Op.Redrive redrive ? OptionalInt.of(redrive.job()) : OptionalInt.empty();
  }

  /** Why nothing is to happen. */
  private Optional<TransactionResult<Integer>> obstacle(List<Act> acts) {
    Map<QueueName, Long> joined = new HashMap<>();
    Set<Integer> released = new HashSet<>();
    for (Act act : acts) {
      if (act instanceof Act.Change change && change.op() instanceof Op.ReleaseJob) {
        released.add(change.target().number());
      }
      if (act instanceof Act.OfLease end && !isCurrent(end.held().model(), released)) {
        return Optional.of(new TransactionResult.StaleLease<>(end.held().engine().jobId()));
      }
      if (act instanceof Act.NewJob job) {
        Optional<BatchId> batch = job.options().batch();
        if (batch.filter(id -> !world.model.tallies.get(id).isJoinable()).isPresent()) {
          return refused(new EnqueueResult.BatchOver(job.queue(), batch.get()));
        }
        Optional<ModelQueue> queue = known(job.queue());
        if (queue.filter(it -> it.isDraining).isPresent()) {
          return refused(new EnqueueResult.Draining(job.queue()));
        }
        long depthMax =
            queue.map(it -> it.settings.depthMax().orElse(Long.MAX_VALUE)).orElse(Long.MAX_VALUE);
        if (waiting(job.queue()) + joined.merge(job.queue(), 1L, Long::sum) > depthMax) {
          return refused(new EnqueueResult.QueueFull(job.queue(), depthMax));
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<TransactionResult<Integer>> refused(EnqueueResult.Refused why) {
    return Optional.of(new TransactionResult.Refused<>(why));
  }

  private long waiting(QueueName queue) {
    ReferenceModel model = world.model;
    return model.jobs(queue, JobState.READY).size()
        + model.jobs(queue, JobState.DELAYED).size()
        + model.jobs(queue, JobState.BLOCKED).size()
        + model.jobs(queue, JobState.WAITING).size();
  }

  /** Whether the lease is current after the transaction has released these jobs. */
  private boolean isCurrent(ModelLease lease, Set<Integer> released) {
    return world.model.jobs.containsKey(lease.job.number)
        && !released.contains(lease.job.number)
        && lease.isCurrent()
        && lease.remainingMs(world.model.time) > 0;
  }

  private Told ask(Transaction tx, Act act, List<Told> before) {
    if (act instanceof Act.NewJob job) {
      JobId id = tx.enqueue(job.queue(), job.payload(), job.options());
      return new Told(Optional.of(id), () -> id);
    }
    return new Told(Optional.empty(), answer(tx, act, before));
  }

  private AfterCommit<?> answer(Transaction tx, Act act, List<Told> before) {
    if (act instanceof Act.End end) {
      return ask(tx, end);
    } else if (act instanceof Act.Wait wait) {
      return ask(tx, wait);
    } else if (act instanceof Act.Send send) {
      return tx.signal(id(send.target(), before), send.signal(), send.payload().getBytes(UTF_8));
    }
    return ask(tx, (Act.Change) act, before);
  }

  private AfterCommit<?> ask(Transaction tx, Act.Wait wait) {
    Lease lease = wait.held().engine();
    if (wait.seconds() < 0) {
      return tx.waitFor(lease, wait.signal());
    }
    Duration most = Duration.ofSeconds(wait.seconds());
    return isAt(wait)
        ? tx.waitFor(lease, wait.signal(), wall().plus(most))
        : tx.waitFor(lease, wait.signal(), most);
  }

  /** Whether the deadline is an instant. */
  private static boolean isAt(Act.Wait wait) {
    return wait.seconds() == 5;
  }

  private AfterCommit<?> ask(Transaction tx, Act.End end) {
    Duration duration = Duration.ofSeconds(end.seconds());
    return switch (end.ending()) {
      case COMPLETE -> {
        if (end.seconds() % 2 == 0) {
          tx.complete(end.held().engine());
        } else {
          tx.complete(end.held().engine(), new byte[end.seconds()]);
        }
        yield () -> true;
      }
      case FAIL, FAIL_PERMANENTLY ->
          tx.fail(end.held().engine(), "together", LeaseSteps.options(end.ending(), 0));
      case EXTEND -> tx.extend(end.held().engine(), duration);
      case CHECKPOINT -> tx.checkpoint(end.held().engine(), end.state());
      case RELEASE -> tx.release(end.held().engine());
      case SNOOZE_FOR -> tx.snooze(end.held().engine(), duration);
      default -> tx.snooze(end.held().engine(), wall().plus(duration));
    };
  }

  private AfterCommit<?> ask(Transaction tx, Act.Change change, List<Told> before) {
    JobId id = id(change.target(), before);
    if (change.op() instanceof Op.Reschedule reschedule) {
      return tx.reschedule(id, wall().plusSeconds(reschedule.seconds()));
    }
    if (change.op() instanceof Op.RequestCancel) {
      return tx.cancel(id);
    }
    if (change.op() instanceof Op.ReleaseJob) {
      return tx.release(id);
    }
    return change.op() instanceof Op.Redrive redrive
        ? tx.redrive(id, redrive.checkpointed())
        : tx.cancelIfWaiting(id);
  }

  private JobId id(Target target, List<Told> before) {
    return target.act() >= 0
        ? before.get(target.act()).id().orElseThrow()
        : world.id(target.number());
  }

  private Instant wall() {
    return Instant.ofEpochMilli(world.harness.clock().epochMs());
  }

  /** Does the same in the model, act by act. */
  private void compare(List<Act> acts, List<Told> told) {
    Map<Integer, Integer> numbers = new HashMap<>();
    for (int i = 0; i < acts.size(); i++) {
      if (acts.get(i) instanceof Act.NewJob job) {
        ModelEnqueued wanted = world.model.offer(job.queue(), job.payload(), job.options());
        JobId id = told.get(i).id().orElseThrow();
        int number =
            wanted.job().map(made -> made.number).orElseGet(() -> wanted.holder().orElseThrow());
        wanted.job().ifPresent(made -> world.bear(made, id));
        assertThat(id).isEqualTo(world.id(number));
        numbers.put(i, number);
      } else {
        assertThat((Object) told.get(i).answer().get()).isEqualTo(expected(acts.get(i), numbers));
      }
    }
  }

  private Object expected(Act act, Map<Integer, Integer> numbers) {
    if (act instanceof Act.OfLease lease) {
      Object answer = lease instanceof Act.End end ? expected(end) : expected((Act.Wait) lease);
      if (lease.isEnd()) {
        lease.held().model().isFinished = true;
      }
      return answer;
    } else if (act instanceof Act.Send send) {
      return world.model.signals.send(
          number(send.target(), numbers), send.signal(), send.payload());
    }
    Act.Change change = (Act.Change) act;
    return expected(change.op(), number(change.target(), numbers));
  }

  private static int number(Target target, Map<Integer, Integer> numbers) {
    return target.act() >= 0 ? numbers.get(target.act()) : target.number();
  }

  private Object expected(Act.Wait wait) {
    ModelLease lease = wait.held().model();
    if (wait.seconds() < 0) {
      return world.model.signals.waitFor(lease, wait.signal());
    }
    Duration most = Duration.ofSeconds(wait.seconds());
    return isAt(wait)
        ? world.model.signals.waitFor(lease, wait.signal(), wall().plus(most))
        : world.model.signals.waitFor(lease, wait.signal(), most);
  }

  private Object expected(Act.End end) {
    ModelLease lease = end.held().model();
    Duration duration = Duration.ofSeconds(end.seconds());
    return switch (end.ending()) {
      case COMPLETE ->
          world
              .model
              .holder
              .complete(
                  lease,
                  end.seconds() % 2 == 0 ? Optional.empty() : Optional.of(new byte[end.seconds()]))
              .isDone();
      case FAIL, FAIL_PERMANENTLY -> {
        FailOptions options = LeaseSteps.options(end.ending(), 0);
        yield LeaseSteps.failResult(
            world.model, lease, world.model.holder.fail(lease, "together", options));
      }
      case EXTEND ->
          LeaseSteps.extendResult(world.model, lease, world.model.holder.extend(lease, duration));
      case CHECKPOINT ->
          LeaseSteps.extendResult(
              world.model, lease, world.model.holder.checkpoint(lease, end.state()));
      case RELEASE -> world.model.holder.release(lease);
      case SNOOZE_FOR -> world.model.holder.snooze(lease, duration);
      default -> world.model.holder.snooze(lease, wall().plus(duration));
    };
  }

  private Object expected(Op op, int number) {
    if (op instanceof Op.Reschedule reschedule) {
      long visibleAtMs = wall().plusSeconds(reschedule.seconds()).toEpochMilli();
      return world.model.changes.reschedule(number, visibleAtMs);
    }
    if (op instanceof Op.RequestCancel) {
      return world.model.changes.requestCancel(number);
    }
    if (op instanceof Op.ReleaseJob) {
      return world.model.operator.release(number);
    }
    return op instanceof Op.Redrive redrive
        ? world.model.operator.redrive(number, redrive.checkpointed(), world::id)
        : world.model.operator.cancel(number);
  }
}
