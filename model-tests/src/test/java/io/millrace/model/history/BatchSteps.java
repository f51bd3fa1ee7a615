package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchOverException;
import io.millrace.api.BatchStats;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.EnqueueResult;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.QueueName;
import io.millrace.api.WaitResult;
import io.millrace.model.ModelJob;
import io.millrace.model.ModelQueue;
import io.millrace.model.ModelTallies;
import io.millrace.model.ModelTally;
import io.millrace.model.ReferenceModel;
import io.millrace.model.history.World.Held;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** The steps of a history on batches of jobs, which all other steps end or bring back. */
final class BatchSteps {

  private static final int DEPTH_MAX = 4;
  private static final int PAGE_SIZE = 3;
  private static final int DAY_SECONDS = 86_400;

  private final HistoryRunner runner;
  private final World world;
  private int payloadCount;

  BatchSteps(HistoryRunner runner, World world) {
    this.runner = runner;
    this.world = world;
  }

  /** A job and its queue. */
  record Part(int queue, JobShape shape) {}

  /**
   * A batch begins.
   *
   * @param following the jobs that come after it, of the first kinds
   * @param outer the batch that it is within, 0 for none, else one more than its number
   * @param followed the batch that what comes after this one is of, as {@code outer}
   */
  record Begin(
      List<Part> parts,
      List<Part> following,
      boolean isOpen,
      int outer,
      int followed,
      int keptSeconds)
      implements Op.OfBatches {
    @Override
    public void run(HistoryRunner runner) {
      runner.batches.begin(this);
    }
  }

  /** Jobs are to join a batch. */
  record Join(int batch, int queue, int count, JobShape shape) implements Op.OfBatches {
    @Override
    public void run(HistoryRunner runner) {
      runner.batches.join(this);
    }
  }

  record Seal(int batch) implements Op.OfBatches {
    @Override
    public void run(HistoryRunner runner) {
      runner.batches.seal(batch);
    }
  }

  record CancelAll(int batch) implements Op.OfBatches {
    @Override
    public void run(HistoryRunner runner) {
      runner.batches.cancel(batch);
    }
  }

  /** A lease ends, and its job waits for a batch. */
  record WaitForBatch(int lease, int batch) implements Op.OfBatches {
    @Override
    public void run(HistoryRunner runner) {
      runner.batches.waitFor(this);
    }
  }

  private ReferenceModel model() {
    return world.model;
  }

  private Optional<ModelTally> chosen(int number) {
    return model().tallies.chosen(number);
  }

  private void begin(Begin step) {
    Batch batch = batch(step);
    Optional<RuntimeException> obstacle = obstacle(batch);
    if (obstacle.isPresent()) {
      assertThatThrownBy(() -> began(batch, step.isOpen()))
          .isInstanceOf(obstacle.get().getClass())
          .hasMessage(obstacle.get().getMessage());
      return;
    }
    BatchId id = began(batch, step.isOpen());
    List<ModelJob> born = model().tallies.begin(batch, id, !step.isOpen());
    bear(born, id);
  }

  private BatchId began(Batch batch, boolean isOpen) {
    return isOpen ? batch.open(world.engine()) : batch.start(world.engine());
  }

  private Batch batch(Begin step) {
    Batch batch =
        Batch.of("batch " + payloadCount).retention(Duration.ofSeconds(step.keptSeconds()));
    step.parts().forEach(part -> batch.add(Histories.queue(part.queue()), job(part)));
    Optional<BatchId> followed =
        step.followed() == 0 ? Optional.empty() : chosen(step.followed() - 1).map(it -> it.id);
    for (int i = 0; i < step.following().size(); i++) {
      QueueName queue = Histories.queue(step.following().get(i).queue());
      NewJob job = job(step.following().get(i).shape().afterBatch(), followed);
      switch (Batch.After.values()[i]) {
        case DONE -> batch.whenDone(queue, job);
        case ALL_SUCCEEDED -> batch.whenAllSucceeded(queue, job);
        case ANY_DIED -> batch.whenAnyDied(queue, job);
      }
    }
    if (step.outer() > 0) {
      chosen(step.outer() - 1)
          .filter(outer -> outer.depth() < DEPTH_MAX)
          .ifPresent(outer -> batch.within(outer.id));
    }
    return batch;
  }

  /** In a queue that may be full, whoever has the key of another would be counted in vain. */
  private NewJob job(Part part) {
    boolean isLimited =
        known(Histories.queue(part.queue()))
            .filter(queue -> queue.settings.depthMax().isPresent())
            .isPresent();
    JobShape shape = part.shape().inBatch();
    return job(isLimited ? shape.with(shape.visible(), 0) : shape, Optional.empty());
  }

  private NewJob job(JobShape shape, Optional<BatchId> batch) {
    EnqueueOptions options = shape.limitedOptions(world.harness.clock().epochMs());
    return new NewJob(
        shape.payload(1_000_000_000 + ++payloadCount), batch.map(options::batch).orElse(options));
  }

  private Optional<ModelQueue> known(QueueName queue) {
    return Optional.ofNullable(model().queues.get(queue));
  }

  /** Why nothing is to happen. */
  private Optional<RuntimeException> obstacle(Batch batch) {
    Optional<ModelTally> outer = batch.outer().map(model().tallies::get);
    if (outer.filter(tally -> !tally.isThere()).isPresent()) {
      return Optional.of(new NoSuchBatchException(outer.get().id));
    }
    if (outer.filter(tally -> !tally.isJoinable()).isPresent()) {
      return Optional.of(new BatchOverException(outer.get().id));
    }
    Map<QueueName, Long> joined = new HashMap<>();
    Map<QueueName, List<Batch.Placed>> groups = ModelTallies.byQueue(batch.jobs());
    for (List<Batch.Placed> group : groups.values()) {
      Optional<EnqueueResult.Refused> refused = refused(group, joined);
      if (refused.isPresent()) {
        return refused.map(BatchSteps::thrown);
      }
    }
    for (Batch.Placed placed : batch.following().values()) {
      Optional<EnqueueResult.Refused> refused = refused(List.of(placed), joined);
      if (refused.isPresent()) {
        return refused.map(BatchSteps::thrown);
      }
    }
    return Optional.empty();
  }

  private static RuntimeException thrown(EnqueueResult.Refused refused) {
    try {
      refused.orThrow();
      throw new AssertionError("a refusal throws");
    } catch (EnqueueRefusedException e) {
      return e;
    }
  }

  private Optional<EnqueueResult.Refused> refused(
      List<Batch.Placed> group, Map<QueueName, Long> joined) {
    QueueName queue = group.get(0).queue();
    Optional<BatchId> batch = group.get(0).job().options().batch();
    if (batch.filter(id -> !model().tallies.get(id).isJoinable()).isPresent()) {
      return Optional.of(new EnqueueResult.BatchOver(queue, batch.get()));
    }
    if (known(queue).filter(it -> it.isDraining).isPresent()) {
      return Optional.of(new EnqueueResult.Draining(queue));
    }
    long depthMax =
        known(queue)
            .map(it -> it.settings.depthMax().orElse(Long.MAX_VALUE))
            .orElse(Long.MAX_VALUE);
    long there = joined.merge(queue, (long) group.size(), Long::sum) + waiting(queue);
    return there > depthMax
        ? Optional.of(new EnqueueResult.QueueFull(queue, depthMax))
        : Optional.empty();
  }

  private long waiting(QueueName queue) {
    return Set.of(JobState.READY, JobState.DELAYED, JobState.BLOCKED, JobState.WAITING).stream()
        .mapToLong(state -> model().jobs(queue, state).size())
        .sum();
  }

  /** A start tells no ids: those of the jobs that are still there are found by their payloads. */
  private void bear(List<ModelJob> born, BatchId id) {
    List<ModelJob> there =
        born.stream().filter(job -> model().jobs.containsKey(job.number)).toList();
    Map<ByteBuffer, JobId> ids = new HashMap<>();
    there.stream()
        .map(job -> job.queue)
        .distinct()
        .forEach(
            queue ->
                Texts.all(
                        page -> world.engine().list(JobFilter.ALL.queue(queue), page),
                        1_000,
                        job -> job)
                    .forEach(job -> ids.put(ByteBuffer.wrap(job.payload()), job.id())));
    there.forEach(job -> world.bear(job, ids.get(ByteBuffer.wrap(job.payload))));
    assertThat(Texts.all(page -> world.engine().list(JobFilter.ALL.batch(id), page), 7, it -> it))
        .as("jobs of batch " + id)
        .hasSize(model().tallies.jobs(model().tallies.get(id)).size());
  }

  private void join(Join step) {
    chosen(step.batch())
        .ifPresent(
            tally -> {
              QueueName queue = Histories.queue(step.queue());
              EnqueueOptions options =
                  step.shape().limitedOptions(world.harness.clock().epochMs()).batch(tally.id);
              boolean isJoinable = tally.isJoinable();
              runner.enqueue(
                  queue,
                  step.count(),
                  step.shape(),
                  options,
                  () ->
                      isJoinable
                          ? HistoryRunner.refusal(model().queue(queue))
                          : new EnqueueResult.BatchOver(queue, tally.id));
            });
  }

  private void seal(int batch) {
    chosen(batch)
        .ifPresent(
            tally -> {
              if (tally.isThere()) {
                world.engine().batches().seal(tally.id);
                model().tallies.seal(tally);
              } else {
                assertThatThrownBy(() -> world.engine().batches().seal(tally.id))
                    .isInstanceOf(NoSuchBatchException.class);
              }
            });
  }

  private void cancel(int batch) {
    chosen(batch)
        .ifPresent(
            tally -> {
              if (tally.isThere()) {
                long before = model().events.newestStep();
                assertThat(new TreeMap<>(world.engine().batches().cancel(tally.id)))
                    .isEqualTo(new TreeMap<>(model().tallies.cancel(tally)));
                runner.time.settleAll(before);
              } else {
                assertThatThrownBy(() -> world.engine().batches().cancel(tally.id))
                    .isInstanceOf(NoSuchBatchException.class);
              }
            });
  }

  private void waitFor(WaitForBatch step) {
    Optional<ModelTally> chosen = chosen(step.batch());
    if (chosen.isEmpty() || world.held.isEmpty()) {
      return;
    }
    ModelTally tally = chosen.get();
    if (model().tallies.waiting(tally) == Limits.BATCH_WAITER_COUNT_MAX) {
      return;
    }
    Held held = world.chosenLease(step.lease());
    Lease lease = held.engine();
    Optional<WaitResult> lost = model().tallies.lost(held.model());
    boolean isOwn = model().tallies.isOf(held.model().job, tally);
    if (lost.isEmpty() && (isOwn || !tally.isThere())) {
      assertThatThrownBy(() -> lease.waitFor(tally.id).orThrow())
          .isInstanceOf(isOwn ? IllegalArgumentException.class : NoSuchBatchException.class);
      return;
    }
    WaitResult expected = lost.orElseGet(() -> model().tallies.waitFor(held.model(), tally));
    world.answer(
        () -> lease.waitFor(tally.id),
        () -> lease.waitForAsync(tally.id),
        answer -> assertThat(answer).isEqualTo(expected));
    held.model().isFinished = true;
  }

  /** Compares all that is told of batches. */
  void check(int chosen) {
    Map<BatchId, BatchStats> expected = new LinkedHashMap<>();
    model().tallies.all().stream()
        .filter(ModelTally::isThere)
        .forEach(tally -> expected.put(tally.id, tally.stats(model())));
    assertThat(Texts.all(world.engine().batches()::list, PAGE_SIZE, stats -> stats))
        .as("all batches")
        .isEqualTo(new ArrayList<>(expected.values()));
    chosen(chosen)
        .ifPresent(
            tally ->
                assertThat(world.engine().batches().get(tally.id))
                    .isEqualTo(Optional.ofNullable(expected.get(tally.id))));
  }

  static Arbitrary<Op> step() {
    return Arbitraries.frequencyOf(
        Tuple.of(4, begin()),
        Tuple.of(4, joining()),
        Tuple.of(3, batchNumber().map(Seal::new)),
        Tuple.of(2, batchNumber().map(CancelAll::new)),
        Tuple.of(3, Combinators.combine(Histories.number(7), batchNumber()).as(WaitForBatch::new)));
  }

  static Arbitrary<Op> joining() {
    return Combinators.combine(
            batchNumber(), Histories.queueNumber(), Arbitraries.of(1, 1, 3), Histories.shape())
        .as(Join::new);
  }

  private static Arbitrary<Integer> batchNumber() {
    return Arbitraries.of(0, 0, 0, 1, 2, 5);
  }

  private static Arbitrary<Op> begin() {
    Arbitrary<List<Part>> parts = part().list().ofMaxSize(4);
    Arbitrary<List<Part>> following = part().list().ofMaxSize(3);
    Arbitrary<Integer> other = Arbitraries.of(0, 0, 0, 1, 2);
    return Combinators.combine(
            parts,
            following,
            Histories.oneIn(3),
            other,
            other,
            Arbitraries.of(0, 10, 7 * DAY_SECONDS))
        .as(Begin::new);
  }

  private static Arbitrary<Part> part() {
    return Combinators.combine(Histories.queueNumber(), Histories.shape()).as(Part::new);
  }

  /** A job waits for a batch that is open, sealed or over, and may have been asked to stop. */
  static Arbitrary<List<Op>> waitingUse() {
    return Combinators.combine(
            Histories.shape(), Histories.oneIn(2), Histories.oneIn(3), Histories.oneIn(3))
        .as(
            (shape, isOpen, isCancelled, isRestarted) -> {
              Op.Claim claim = new Op.Claim(1, 0, 1, 7, 65_535, 0);
              List<Op> steps = new ArrayList<>();
              steps.add(new Op.Purge(0, 19));
              steps.add(new Begin(List.of(), List.of(), isOpen, 0, 0, 10));
              steps.add(new Op.Enqueue(0, 1, shape.with(JobShape.Visible.NOW, 0)));
              steps.add(claim);
              if (isCancelled) {
                steps.add(new Op.RequestCancel(0));
              }
              steps.add(new WaitForBatch(0, 0));
              if (isRestarted) {
                steps.add(new Op.Restart(false));
              }
              steps.add(new Seal(0));
              steps.add(claim);
              steps.add(new Op.Finish(Op.Ending.FAIL, 0, 4));
              return steps;
            });
  }

  /** The last job of a batch ends in some way, and what comes after it is worked on. */
  static Arbitrary<List<Op>> use() {
    Arbitrary<Op.Ending> ending =
        Arbitraries.of(
            Op.Ending.COMPLETE,
            Op.Ending.FAIL_PERMANENTLY,
            Op.Ending.FAIL_PERMANENTLY,
            Op.Ending.FAIL,
            Op.Ending.RELEASE);
    return Combinators.combine(
            Histories.shape(),
            ending,
            Histories.number(13),
            Arbitraries.of(0, 1, 2, 3),
            Histories.oneIn(2))
        .as(BatchSteps::use);
  }

  /** The batch may be one within another, which comes to its end with it. */
  private static List<Op> use(
      JobShape shape, Op.Ending ending, int choice, int following, boolean isInner) {
    JobShape now = shape.with(JobShape.Visible.NOW, 0).afterBatch();
    List<Part> parts = List.of(new Part(0, now));
    List<Part> after = Collections.nCopies(following, new Part(1, now));
    Op.Claim claim = new Op.Claim(1, 0, 1, 7, 65_535, 0);
    Op.Claim claimAfter = new Op.Claim(2, 1, 2, 7, 65_535, 0);
    List<Op> steps = new ArrayList<>();
    steps.add(new Op.Purge(0, 19));
    if (isInner) {
      steps.add(new Begin(List.of(), after, true, 0, 0, choice * 2));
      steps.add(new Begin(parts, List.of(), choice == 12, 1, 0, choice * 2));
      steps.add(new Seal(1));
    } else {
      steps.add(new Begin(parts, after, choice == 12, 0, 0, choice * 2));
    }
    steps.add(claim);
    if (choice % 4 == 3) {
      steps.add(new Op.RequestCancel(0));
    }
    steps.add(new Op.Finish(ending, 0, 5));
    steps.add(last(choice, isInner ? 0 : following));
    steps.add(claimAfter);
    steps.add(new Op.Finish(choice % 2 == 0 ? Op.Ending.FAIL : Op.Ending.COMPLETE, 0, 4));
    steps.add(claim);
    steps.add(new Op.Finish(Op.Ending.COMPLETE, 0, 4));
    steps.add(claimAfter);
    return steps;
  }

  /**
   * What follows concerns the job of the batch, or one that comes after it.
   *
   * @param job the number of the batch's job
   */
  private static Op last(int choice, int job) {
    return switch (choice) {
      case 0 -> new Op.Restart(false);
      case 1, 2 -> new Op.Redrive(job, Checkpointed.KEEP);
      case 3 -> new Op.DeleteDead(job);
      case 4 -> new CancelAll(0);
      case 5 -> new Op.DeleteQueue(0);
      case 6 -> new Op.DeleteQueue(1);
      case 7 -> new Op.Purge(1, 63);
      case 8 -> new SignalSteps.FailStuck(0);
      case 9 -> new SignalSteps.Send(0, 0);
      case 10 -> new Op.Cancel(0);
      case 11 -> new Op.Reschedule(0, 5);
      case 12 -> new Seal(0);
      default -> new Op.Advance(30);
    };
  }
}
