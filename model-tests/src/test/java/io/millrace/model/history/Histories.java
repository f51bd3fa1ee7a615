package io.millrace.model.history;

import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.QueueName;
import io.millrace.model.history.Op.Advance;
import io.millrace.model.history.Op.Burst;
import io.millrace.model.history.Op.Cancel;
import io.millrace.model.history.Op.Check;
import io.millrace.model.history.Op.Claim;
import io.millrace.model.history.Op.Configure;
import io.millrace.model.history.Op.DeleteDead;
import io.millrace.model.history.Op.DeleteQueue;
import io.millrace.model.history.Op.Drain;
import io.millrace.model.history.Op.EndQueueLease;
import io.millrace.model.history.Op.Ending;
import io.millrace.model.history.Op.Enqueue;
import io.millrace.model.history.Op.Field;
import io.millrace.model.history.Op.Finish;
import io.millrace.model.history.Op.FinishMany;
import io.millrace.model.history.Op.LeaseQueue;
import io.millrace.model.history.Op.Limit;
import io.millrace.model.history.Op.Park;
import io.millrace.model.history.Op.Purge;
import io.millrace.model.history.Op.QueueClaim;
import io.millrace.model.history.Op.QueueClose;
import io.millrace.model.history.Op.QueueExtend;
import io.millrace.model.history.Op.QueuePark;
import io.millrace.model.history.Op.Redrive;
import io.millrace.model.history.Op.RequestCancel;
import io.millrace.model.history.Op.Reschedule;
import io.millrace.model.history.Op.Restart;
import io.millrace.model.history.Op.Serve;
import io.millrace.model.history.Op.StepWall;
import io.millrace.model.history.Op.Sweep;
import io.millrace.model.history.Op.SweepDead;
import io.millrace.model.history.Op.Update;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.Setup.Loading;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** What histories are made of. */
public final class Histories {

  /** Longest history, in steps. */
  static final int STEP_COUNT_MAX = 120;

  /** Names that break careless encodings: separators, zeros, the longest, those of tenants. */
  private static final List<QueueName> QUEUES =
      List.of(
          QueueName.of("mail"),
          new QueueName("mai", "l"),
          new QueueName("a/b\u0000c", "\u0000"),
          new QueueName("ÿ".repeat(100), "ÿ".repeat(100)),
          new QueueName("線路 очередь \uD83D\uDE82", "mail"),
          new QueueName("mail", "other"));

  /** The name of which there are several tenants. */
  static final String NAME_OF_TENANTS = "mail";

  /** The place of a key whose job replaces another. */
  private static final int REPLACING = 2;

  private static final int DAY_SECONDS = 86_400;

  private Histories() {}

  public static QueueName queue(int number) {
    return QUEUES.get(number % QUEUES.size());
  }

  /** The tenants of a name that has several. */
  public static List<QueueName> tenants() {
    return QUEUES.stream().filter(queue -> queue.name().equals(NAME_OF_TENANTS)).toList();
  }

  /** The queues whose bits are set, the lowest being the first; never none. */
  public static List<QueueName> queues(int bits) {
    List<QueueName> chosen =
        IntStream.range(0, QUEUES.size())
            .filter(i -> (bits >> i & 1) == 1)
            .mapToObj(QUEUES::get)
            .toList();
    return chosen.isEmpty() ? List.of(QUEUES.get(0)) : chosen;
  }

  public static Arbitrary<List<Op>> steps() {
    return steps(
        Arbitraries.frequencyOf(
            Tuple.of(200, jobStep()), Tuple.of(14, queueLeaseStep()), Tuple.of(8, limit())));
  }

  /** Histories without leases on queues, which keep claims from what they would reach. */
  static Arbitrary<List<Op>> stepsOfJobs() {
    return steps(jobStep());
  }

  private static Arbitrary<List<Op>> steps(Arbitrary<Op> step) {
    return Arbitraries.frequencyOf(
            Tuple.of(80, step.map(List::of)),
            Tuple.of(7, staleUse()),
            Tuple.of(1, markedUse()),
            Tuple.of(1, metAtAKey()),
            Tuple.of(1, replacedWhileBlocked()),
            Tuple.of(1, staleWhileBlocked()),
            Tuple.of(1, stoppedUse()),
            Tuple.of(4, SignalSteps.waitingUse(shape())),
            Tuple.of(4, BatchSteps.use()),
            Tuple.of(2, BatchSteps.waitingUse()),
            Tuple.of(4, purgedResult()))
        .list()
        .ofMinSize(1)
        .ofMaxSize(STEP_COUNT_MAX)
        .map(parts -> parts.stream().flatMap(List::stream).toList());
  }

  /**
   * A lease runs out, its job goes on to some state, and then its first holder comes: steps that
   * chance would hardly ever put in this order.
   */
  private static Arbitrary<List<Op>> staleUse() {
    Arbitrary<Ending> next =
        Arbitraries.of(
            Ending.COMPLETE,
            Ending.FAIL,
            Ending.FAIL_PERMANENTLY,
            Ending.RELEASE,
            Ending.EXTEND,
            Ending.SNOOZE_FOR);
    return Combinators.combine(
            queueNumber(), shape(), next, Arbitraries.of(Ending.class), number(3))
        .as(
            (queue, shape, first, late, lease) ->
                List.of(
                    new Op.Enqueue(queue, 1, shape),
                    new Op.Claim(1 << queue, 0, 1, 1, 65_535, 0),
                    new Op.Advance(2),
                    new Op.Claim(1 << queue, 1, 5, 7, 65_535, 0),
                    new Op.Finish(first, 0, 10),
                    new Op.Finish(late, 1 + lease, 5)));
  }

  /** A leased job is to be cancelled, and then its lease ends in some way. */
  private static Arbitrary<List<Op>> markedUse() {
    Arbitrary<Op> end =
        Arbitraries.frequencyOf(
            Tuple.of(8, Arbitraries.of(Ending.class).map(ending -> new Op.Finish(ending, 0, 5))),
            Tuple.of(2, Arbitraries.<Op>of(new Op.Advance(30), new Op.ReleaseJob(0))),
            Tuple.of(2, oneIn(2).map(Op.Restart::new)));
    return Combinators.combine(queueNumber(), shape(), end)
        .as(
            (queue, shape, last) ->
                List.of(
                    new Purge(queue, 3),
                    new Enqueue(queue, 1, shape.with(JobShape.Visible.NOW, 0)),
                    new Claim(1 << queue, 0, 1, 7, 65_535, 0),
                    new RequestCancel(0),
                    last));
  }

  /** Jobs that want one key: replaced while they wait, and redriven when another has it. */
  private static Arbitrary<List<Op>> metAtAKey() {
    return Combinators.combine(
            queueNumber(), shape(), number(JobShape.UNIQUE_KEYS.size() - 1).map(n -> n + 1))
        .as(
            (queue, shape, unique) -> {
              JobShape plain = shape.with(JobShape.Visible.NOW, unique);
              JobShape replacing = shape.with(JobShape.Visible.NOW, REPLACING);
              return List.of(
                  new Purge(queue, 3),
                  new Enqueue(queue, 1, plain),
                  new Enqueue(queue, 1, shape.with(JobShape.Visible.AFTER_DELAY, REPLACING)),
                  new Enqueue(queue, 1, replacing),
                  new Claim(1 << queue, 0, 1, 7, 65_535, 0),
                  new Finish(Ending.FAIL_PERMANENTLY, 0, 5),
                  new Enqueue(queue, 2, plain),
                  new Redrive(1, Checkpointed.CLEAR),
                  new Redrive(0, Checkpointed.KEEP));
            });
  }

  /** The process dies while a job is worked on, in a queue where such a job backs off. */
  private static Arbitrary<List<Op>> stoppedUse() {
    return Combinators.combine(queueNumber(), shape())
        .as(
            (queue, shape) ->
                List.of(
                    new Configure(queue, 0, 0, true, 0, 0, 0, false),
                    new Purge(queue, 19),
                    new Enqueue(queue, 1, shape.with(JobShape.Visible.NOW, 0)),
                    new Claim(1 << queue, 0, 1, 7, 65_535, 0),
                    new Op.Restart(false)));
  }

  /** A job that waits for a slot is replaced by one that wants its unique key. */
  private static Arbitrary<List<Op>> replacedWhileBlocked() {
    return Combinators.combine(queueNumber(), shape())
        .as(
            (queue, shape) -> {
              JobShape holder = shape.with(JobShape.Visible.NOW, 0).withKey(1);
              JobShape replacing = shape.with(JobShape.Visible.NOW, REPLACING).withKey(1);
              return List.of(
                  new Purge(queue, 19),
                  new Enqueue(queue, 2, holder),
                  new Enqueue(queue, 1, replacing),
                  new Enqueue(queue, 1, replacing));
            });
  }

  /** A lease runs out, and its job waits for the slot that it had; then its first holder comes. */
  private static Arbitrary<List<Op>> staleWhileBlocked() {
    return Combinators.combine(queueNumber(), shape(), Arbitraries.of(Ending.class))
        .as(
            (queue, shape, late) ->
                List.of(
                    new Configure(queue, 0, 0, false, 0, 0, 0, false),
                    new Purge(queue, 51),
                    new Enqueue(queue, 2, shape.with(JobShape.Visible.NOW, 0).withKey(1)),
                    new Claim(1 << queue, 0, 1, 1, 65_535, 0),
                    new Op.Advance(2),
                    new Finish(late, 0, 5)));
  }

  /** A job is kept for its result, taken for a dead letter, and then purged, or its queue goes. */
  private static Arbitrary<List<Op>> purgedResult() {
    return Combinators.combine(queueNumber(), shape(), oneIn(2))
        .as(
            (queue, shape, isDeleted) ->
                List.of(
                    new Configure(queue, 0, 0, false, 20, 20, 0, false),
                    new Purge(queue, 3),
                    new Enqueue(queue, 1, shape.with(JobShape.Visible.NOW, 0)),
                    new Claim(1 << queue, 0, 1, 7, 65_535, 0),
                    new Finish(Ending.COMPLETE, 0, 5),
                    new Redrive(0, Checkpointed.KEEP),
                    new Update(0, Set.of(Field.PRIORITY), shape),
                    new DeleteDead(0),
                    isDeleted ? new DeleteQueue(queue) : new Purge(queue, 8)));
  }

  static Arbitrary<Setup> setups() {
    return Combinators.combine(
            Arbitraries.of(Durability.SYNCED, Durability.BUFFERED),
            Arbitraries.of(ClaimsAnswer.class),
            Arbitraries.of(LeasesAtOpen.class),
            Arbitraries.of(Loading.class))
        .as(Setup::new);
  }

  private static Arbitrary<Op> jobStep() {
    return Arbitraries.frequencyOf(
        Tuple.of(26, enqueue()),
        Tuple.of(26, claim()),
        Tuple.of(8, claimAcross()),
        Tuple.of(34, finish()),
        Tuple.of(6, finishMany()),
        Tuple.of(5, park()),
        Tuple.of(3, parkAcross()),
        Tuple.of(16, advance()),
        Tuple.of(3, stepWall()),
        Tuple.of(5, number(30).map(Cancel::new)),
        Tuple.of(7, requestCancel()),
        Tuple.of(5, number(6).map(Op.ReleaseJob::new)),
        Tuple.of(8, reschedule()),
        Tuple.of(9, update()),
        Tuple.of(6, Combinators.combine(number(30), checkpointed()).as(Redrive::new)),
        Tuple.of(3, number(30).map(DeleteDead::new)),
        Tuple.of(5, sweepDead()),
        Tuple.of(5, configure()),
        Tuple.of(3, Combinators.combine(queueNumber(), oneIn(2)).as(Serve::new)),
        Tuple.of(4, Combinators.combine(queueNumber(), number(63)).as(Purge::new)),
        Tuple.of(2, Combinators.combine(queueNumber(), oneIn(3)).as(Drain::new)),
        Tuple.of(1, queueNumber().map(DeleteQueue::new)),
        Tuple.of(6, burst()),
        Tuple.of(9, TransactionSteps.any()),
        Tuple.of(4, oneIn(2).map(Restart::new)),
        Tuple.of(20, SignalSteps.step()),
        Tuple.of(9, BatchSteps.step()),
        Tuple.of(3, Arbitraries.of(1, 2, 7, 1_000).map(Check::new)));
  }

  private static Arbitrary<Op> enqueue() {
    Arbitrary<Integer> counts =
        Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.just(1)), Tuple.of(1, number(40).map(n -> n + 1)));
    return Combinators.combine(queueNumber(), counts, shape()).as(Enqueue::new);
  }

  static Arbitrary<JobShape> shape() {
    Arbitrary<Integer> priorities =
        Arbitraries.frequency(
            Tuple.of(6, 0), Tuple.of(1, 1), Tuple.of(1, -1), Tuple.of(1, 127), Tuple.of(1, -128));
    Arbitrary<JobShape.Visible> visible =
        Arbitraries.frequency(
            Tuple.of(5, JobShape.Visible.NOW),
            Tuple.of(2, JobShape.Visible.AFTER_DELAY),
            Tuple.of(2, JobShape.Visible.AT_INSTANT),
            Tuple.of(1, JobShape.Visible.AT_PAST_INSTANT));
    Arbitrary<Integer> weights =
        Arbitraries.frequency(Tuple.of(5, 1), Tuple.of(2, 3), Tuple.of(1, 65_535));
    Arbitrary<Integer> payloadBytes =
        Arbitraries.frequency(
            Tuple.of(6, 8),
            Tuple.of(1, 0),
            Tuple.of(1, 1_024),
            Tuple.of(2, 900),
            Tuple.of(1, 1_025),
            Tuple.of(1, 70_000));
    return Combinators.combine(
            priorities,
            visible,
            seconds(),
            number(2).map(n -> n + 1),
            number(JobShape.BACKOFFS.size() - 1),
            Arbitraries.of(0, 0, 3, 40),
            weights,
            number(2))
        .flatAs(
            (priority, when, seconds, attempts, backoff, lease, weight, headers) ->
                Combinators.combine(
                        payloadBytes, rareSeconds(), Arbitraries.of(0, 0, 3, 60), unique(), keys())
                    .as(
                        (bytes, live, keep, unique, key) ->
                            new JobShape(
                                priority, when, seconds, attempts, backoff, lease, weight, headers,
                                bytes, live, keep, unique, key)));
  }

  /** Mostly no unique key. */
  private static Arbitrary<Integer> unique() {
    return Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.just(0)), Tuple.of(2, number(JobShape.UNIQUE_KEYS.size())));
  }

  private static Arbitrary<Op> claim() {
    return Combinators.combine(
            queueBits(),
            number(2),
            Arbitraries.of(1, 1, 1, 2, 5, 30),
            Arbitraries.of(0, 1, 7, 60),
            Arbitraries.of(65_535, 65_535, 3, 1),
            Arbitraries.of(0, 0, 3, 2, 40))
        .as(Claim::new);
  }

  private static Arbitrary<Op> park() {
    return Combinators.combine(queueBits(), number(2), seconds()).as(Park::new);
  }

  private static Arbitrary<Op> limit() {
    return Combinators.combine(
            queueNumber(), Arbitraries.of(0, 0, 1, 2, 3), Arbitraries.of(0, 1, 2, 3))
        .as(Limit::new);
  }

  private static Arbitrary<Op> claimAcross() {
    return Combinators.combine(
            number(2), Arbitraries.of(1, 1, 1, 2, 5, 30), Arbitraries.of(65_535, 65_535, 3, 1))
        .as(Op.ClaimAcross::new);
  }

  private static Arbitrary<Op> parkAcross() {
    return Combinators.combine(number(2), seconds()).as(Op.ParkAcross::new);
  }

  private static Arbitrary<Op> queueLeaseStep() {
    Arbitrary<Integer> seconds = Arbitraries.of(1, 2, 5);
    Arbitrary<Integer> lease = number(2);
    return Arbitraries.frequencyOf(
        Tuple.of(5, Combinators.combine(queueNumber(), number(2), seconds).as(LeaseQueue::new)),
        Tuple.of(4, Combinators.combine(lease, Arbitraries.of(1, 2, 30)).as(QueueClaim::new)),
        Tuple.of(2, Combinators.combine(lease, seconds()).as(QueuePark::new)),
        Tuple.of(1, Combinators.combine(lease, seconds).as(QueueExtend::new)),
        Tuple.of(2, lease.map(QueueClose::new)),
        Tuple.of(1, queueNumber().map(EndQueueLease::new)));
  }

  private static Arbitrary<Op> finish() {
    Arbitrary<Ending> endings =
        Arbitraries.of(
            Ending.COMPLETE,
            Ending.COMPLETE,
            Ending.FAIL,
            Ending.FAIL,
            Ending.FAIL,
            Ending.FAIL_PERMANENTLY,
            Ending.FAIL_PERMANENTLY,
            Ending.FAIL_WITH_DELAY,
            Ending.RELEASE,
            Ending.SNOOZE_FOR,
            Ending.SNOOZE_UNTIL,
            Ending.SNOOZE_UNTIL_PAST,
            Ending.EXTEND,
            Ending.CHECKPOINT,
            Ending.CHECKPOINT,
            Ending.CLOSE);
    return Combinators.combine(endings, leaseNumber(), seconds()).as(Finish::new);
  }

  private static Arbitrary<Op> finishMany() {
    return Combinators.combine(
            Arbitraries.of(
                Ending.COMPLETE,
                Ending.FAIL,
                Ending.FAIL_PERMANENTLY,
                Ending.RELEASE,
                Ending.EXTEND),
            leaseNumber().list().ofMinSize(1).ofMaxSize(6),
            seconds())
        .as(FinishMany::new);
  }

  /** Recent jobs, for those are leased. */
  private static Arbitrary<Op> requestCancel() {
    return number(6).map(RequestCancel::new);
  }

  private static Arbitrary<Op> reschedule() {
    return Combinators.combine(number(30), Arbitraries.of(-5, 0, 1, 2, 5, 10, 30))
        .as(Reschedule::new);
  }

  private static Arbitrary<Op> update() {
    return Combinators.combine(number(30), Arbitraries.of(Field.class).set().ofMaxSize(3), shape())
        .as(Update::new);
  }

  private static Arbitrary<Op> advance() {
    return Arbitraries.frequencyOf(
            Tuple.of(12, seconds()),
            Tuple.of(2, Arbitraries.of(60, 3_600)),
            Tuple.of(1, Arbitraries.just(DAY_SECONDS)))
        .map(Advance::new);
  }

  private static Arbitrary<Op> stepWall() {
    return Arbitraries.of(1, -1, 10, -10, 3_600, -3_600, DAY_SECONDS, -DAY_SECONDS)
        .map(StepWall::new);
  }

  private static Arbitrary<Op> sweepDead() {
    return Combinators.combine(
            Arbitraries.of(Sweep.class), checkpointed(), queueNumber(), number(3))
        .as(SweepDead::new);
  }

  private static Arbitrary<Checkpointed> checkpointed() {
    return Arbitraries.of(Checkpointed.class);
  }

  private static Arbitrary<Op> configure() {
    return Combinators.combine(
            queueNumber(),
            Arbitraries.of(0, 2, 20),
            Arbitraries.of(0, 0, 3, 30),
            oneIn(2),
            rareSeconds(),
            rareSeconds(),
            Arbitraries.of(0, 0, 1, 2, 3),
            oneIn(2))
        .as(Configure::new);
  }

  private static Arbitrary<Op> burst() {
    Arbitrary<Op> step =
        Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.oneOf(enqueue(), claim())),
            Tuple.of(3, finish()),
            Tuple.of(1, finishMany()));
    return step.list().ofMinSize(1).ofMaxSize(8).map(Burst::new);
  }

  /** Half of the jobs have none. */
  private static Arbitrary<Integer> keys() {
    return Arbitraries.of(0, 0, 0, 0, 1, 1, 2, 3);
  }

  /** Mostly none. */
  private static Arbitrary<Integer> rareSeconds() {
    return Arbitraries.of(0, 0, 0, 0, 3, 20);
  }

  static Arbitrary<Integer> seconds() {
    return Arbitraries.of(1, 2, 5, 10, 30);
  }

  /** Mostly a recent lease, sometimes one from long ago. */
  static Arbitrary<Integer> leaseNumber() {
    return Arbitraries.frequencyOf(Tuple.of(3, number(3)), Tuple.of(2, number(40)));
  }

  /** Mostly the first, so that things meet there. */
  static Arbitrary<Integer> queueNumber() {
    return Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.just(0)), Tuple.of(2, number(QUEUES.size() - 1)));
  }

  private static Arbitrary<Integer> queueBits() {
    return Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.just(1)), Tuple.of(3, number((1 << QUEUES.size()) - 1)));
  }

  static Arbitrary<Integer> number(int most) {
    return Arbitraries.integers().between(0, most);
  }

  static Arbitrary<Boolean> oneIn(int count) {
    return number(count - 1).map(n -> n == 0);
  }
}
