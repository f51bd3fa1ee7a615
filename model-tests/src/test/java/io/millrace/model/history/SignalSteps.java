package io.millrace.model.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.BroadcastReport;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.SignalResult;
import io.millrace.api.WaitResult;
import io.millrace.model.ModelJob;
import io.millrace.model.history.World.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** The steps of a history in which jobs wait for signals, and what they are made of. */
public final class SignalSteps {

  /** Two plain ones, and one of the longest. */
  static final List<String> NAMES = List.of("go", "ok", "ÿ".repeat(127));

  private static final int NO_DEADLINE = -1;
  private static final int DAY_SECONDS = 86_400;

  private final World world;
  private int payloadCount;

  SignalSteps(World world) {
    this.world = world;
  }

  /** Until when a job waits. */
  enum Until {
    LENGTH,
    INSTANT
  }

  /** A lease ends, and its job waits so many seconds at most; -1 for as long as it takes. */
  record WaitFor(int lease, int signal, int seconds, Until until) implements Op.OfSignals {
    WaitFor(int lease, int signal, int seconds) {
      this(lease, signal, seconds, Until.LENGTH);
    }

    @Override
    public void run(HistoryRunner runner) {
      runner.signals.waitFor(this);
    }

    @Override
    public boolean canBeGrouped() {
      return true;
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  /** A signal to one job. */
  record Send(int job, int signal) implements Op.OfSignals {
    @Override
    public void run(HistoryRunner runner) {
      runner.signals.send(this);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  /** A signal to several jobs in one call, of which some may be the same. */
  record SendMany(List<Integer> jobs, int signal) implements Op.OfSignals {
    @Override
    public void run(HistoryRunner runner) {
      runner.signals.sendMany(this);
    }
  }

  /** A signal to all who wait in a queue, kept so many seconds if nobody does. */
  record Broadcast(int queue, int signal, int keptSeconds) implements Op.OfSignals {
    @Override
    public void run(HistoryRunner runner) {
      runner.signals.broadcast(this);
    }
  }

  record FailStuck(int job) implements Op.OfSignals {
    @Override
    public void run(HistoryRunner runner) {
      runner.signals.failStuck(job);
    }

    @Override
    public boolean canMeetParkedClaim() {
      return true;
    }
  }

  private void waitFor(WaitFor step) {
    if (world.held.isEmpty()) {
      return;
    }
    Held held = world.chosenLease(step.lease());
    Lease lease = held.engine();
    String signal = NAMES.get(step.signal());
    if (step.seconds() == NO_DEADLINE) {
      WaitResult expected = world.model.signals.waitFor(held.model(), signal);
      world.answer(
          () -> lease.waitFor(signal),
          () -> lease.waitForAsync(signal),
          answer -> assertThat(answer).isEqualTo(expected));
    } else if (step.until() == Until.INSTANT) {
      Instant deadline = Instant.ofEpochMilli(world.model.time.nowMs()).plusSeconds(step.seconds());
      WaitResult expected = world.model.signals.waitFor(held.model(), signal, deadline);
      world.answer(
          () -> lease.waitFor(signal, deadline),
          () -> lease.waitForAsync(signal, deadline),
          answer -> assertThat(answer).isEqualTo(expected));
    } else {
      Duration most = Duration.ofSeconds(step.seconds());
      WaitResult expected = world.model.signals.waitFor(held.model(), signal, most);
      world.answer(
          () -> lease.waitFor(signal, most),
          () -> lease.waitForAsync(signal, most),
          answer -> assertThat(answer).isEqualTo(expected));
    }
    held.model().isFinished = true;
  }

  /** Every other one is too long to be kept among the names. */
  private String payload() {
    return "payload " + ++payloadCount + " ".repeat(payloadCount % 2 * 100);
  }

  private void send(Send step) {
    world
        .chosenJob(step.job())
        .ifPresent(
            number -> {
              String signal = NAMES.get(step.signal());
              String payload = payload();
              SignalResult expected = world.model.signals.send(number, signal, payload);
              JobId id = world.id(number);
              byte[] bytes = payload.getBytes(UTF_8);
              world.answer(
                  () -> world.engine().signal(id, signal, bytes),
                  () -> world.engine().signals().signalAsync(id, signal, bytes),
                  answer -> assertThat(answer).isEqualTo(expected));
            });
  }

  private void sendMany(SendMany step) {
    String signal = NAMES.get(step.signal());
    String payload = payload();
    List<JobId> ids = new ArrayList<>();
    List<SignalResult> expected = new ArrayList<>();
    world.model.slots.call(
        () ->
            step.jobs().stream()
                .flatMap(job -> world.chosenJob(job).stream())
                .forEach(
                    number -> {
                      ids.add(world.id(number));
                      expected.add(world.model.signals.send(number, signal, payload));
                    }));
    byte[] bytes = payload.getBytes(UTF_8);
    world.answer(
        () -> world.engine().signals().signalAll(ids, signal, bytes),
        () -> world.engine().signals().signalAllAsync(ids, signal, bytes),
        answer -> assertThat(answer).isEqualTo(expected));
  }

  private void broadcast(Broadcast step) {
    QueueName queue = Histories.queue(step.queue());
    String signal = NAMES.get(step.signal());
    String payload = payload();
    Duration kept = Duration.ofSeconds(step.keptSeconds());
    BroadcastReport expected =
        world.model.signals.broadcast(queue, signal, payload, kept.toMillis());
    assertThat(world.engine().signals().broadcast(queue, signal, payload.getBytes(UTF_8), kept))
        .isEqualTo(expected);
  }

  private void failStuck(int job) {
    world
        .chosenJob(job)
        .ifPresent(
            number ->
                assertThat(world.engine().admin().failStuck(world.id(number), "nobody answers"))
                    .isEqualTo(world.model.signals.failStuck(number, "nobody answers")));
  }

  /** Compares the jobs that wait without a deadline, and for longer than a while. */
  static void check(World world, int pageSize) {
    for (int seconds : List.of(0, 7)) {
      long beforeMs = world.model.time.nowMs() - 1_000L * seconds;
      List<JobId> expected =
          world.model.jobs.values().stream()
              .filter(job -> isStuck(job, beforeMs))
              .map(job -> world.id(job.number))
              .toList();
      assertThat(
              Texts.all(
                  page ->
                      world
                          .engine()
                          .list(JobFilter.ALL.stuckBefore(Instant.ofEpochMilli(beforeMs)), page),
                  pageSize,
                  job -> job.id()))
          .as("stuck for " + seconds + " s")
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static boolean isStuck(ModelJob job, long beforeMs) {
    return job.state == JobState.WAITING
        && job.awaited.isEmpty()
        && !job.hasDeadline()
        && job.waitSinceMs < beforeMs;
  }

  static Arbitrary<Op> step() {
    Arbitrary<Integer> job = Arbitraries.integers().between(0, 12);
    return Arbitraries.frequencyOf(
        Tuple.of(12, waiting(Arbitraries.integers().between(0, 6))),
        Tuple.of(8, sending(job)),
        Tuple.of(
            2, Combinators.combine(job.list().ofMinSize(1).ofMaxSize(6), name()).as(SendMany::new)),
        Tuple.of(4, broadcast()),
        Tuple.of(2, job.map(FailStuck::new)));
  }

  static Arbitrary<Op> sending(Arbitrary<Integer> job) {
    return Combinators.combine(job, name()).as(Send::new);
  }

  static Arbitrary<Op> waiting(Arbitrary<Integer> lease) {
    Arbitrary<Integer> seconds = Arbitraries.of(NO_DEADLINE, NO_DEADLINE, 0, 1, 5, 30);
    Arbitrary<Until> until = Arbitraries.of(Until.LENGTH, Until.LENGTH, Until.INSTANT);
    return Combinators.combine(lease, name(), seconds, until).as(WaitFor::new);
  }

  private static Arbitrary<Op> broadcast() {
    Arbitrary<Integer> queue = Arbitraries.of(0, 0, 0, 1, 2, 5);
    return Combinators.combine(queue, name(), Arbitraries.of(0, 3, DAY_SECONDS)).as(Broadcast::new);
  }

  private static Arbitrary<Integer> name() {
    return Arbitraries.of(0, 0, 0, 1, 2);
  }

  /** A job waits, and then something happens to it that chance would hardly ever let happen. */
  static Arbitrary<List<Op>> waitingUse(Arbitrary<JobShape> shapes) {
    return Combinators.combine(shapes, Arbitraries.integers().between(0, 18), name())
        .as(SignalSteps::waitingUse);
  }

  private static List<Op> waitingUse(JobShape shape, int choice, int name) {
    JobShape now = shape.with(JobShape.Visible.NOW, 2);
    Op.Claim claim = new Op.Claim(1, 0, 1, 7, 65_535, 0);
    List<Op> steps = new ArrayList<>();
    steps.add(new Op.Purge(0, 51));
    steps.add(new Op.Enqueue(0, 1, now));
    steps.add(claim);
    if (choice == 0) {
      steps.add(new Op.RequestCancel(0));
    } else if (choice == 1) {
      steps.add(new Op.Advance(8));
    } else if (choice == 2) {
      steps.add(new Op.Finish(Op.Ending.FAIL_PERMANENTLY, 0, 1));
    }
    steps.add(new WaitFor(0, name, seconds(choice)));
    steps.add(after(choice, name, now));
    if (choice >= 15 && choice <= 17) {
      steps.add(claim);
      steps.add(new Op.Finish(Op.Ending.FAIL_PERMANENTLY, 0, 1));
      steps.add(new Op.Redrive(0, choice == 15 ? Checkpointed.CLEAR : Checkpointed.KEEP));
      steps.add(claim);
    }
    steps.add(new Op.Finish(Op.Ending.values()[choice % Op.Ending.values().length], 0, 5));
    steps.add(new WaitFor(0, name, 1));
    steps.add(claim);
    if (choice == 0) {
      steps.add(new Op.Configure(0, 0, 0, false, 20, 0, 0, false));
      steps.add(new Op.Enqueue(0, 1, shape.with(JobShape.Visible.NOW, 0)));
      steps.add(claim);
      steps.add(new Op.Finish(Op.Ending.COMPLETE, 0, 5));
      steps.add(new FailStuck(0));
    }
    return steps;
  }

  private static int seconds(int choice) {
    return switch (choice) {
      case 3, 18 -> 5;
      case 17 -> 0;
      default -> NO_DEADLINE;
    };
  }

  private static Op after(int choice, int name, JobShape shape) {
    return switch (choice) {
      case 3 -> new Op.Advance(6);
      case 4 -> new Op.Cancel(0);
      case 5 -> new Op.RequestCancel(0);
      case 6 -> new Op.Reschedule(0, 5);
      case 7 -> new Op.Update(0, java.util.Set.of(Op.Field.values()), shape);
      case 8 -> new Op.Redrive(0, Checkpointed.KEEP);
      case 9 -> new Op.DeleteDead(0);
      case 10 -> new Op.Purge(0, 32);
      case 11 -> new Op.DeleteQueue(0);
      case 12 -> new Op.Enqueue(0, 1, shape);
      case 13 -> new Broadcast(0, name, 5);
      case 14 -> new FailStuck(0);
      case 18 -> new Op.StepWall(10);
      default -> new Send(0, name);
    };
  }
}
