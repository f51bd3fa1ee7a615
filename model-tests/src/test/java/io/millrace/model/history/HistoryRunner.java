package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueClaimResult;
import io.millrace.api.QueueName;
import io.millrace.model.Coverage;
import io.millrace.model.ModelEnqueued;
import io.millrace.model.ModelLease;
import io.millrace.model.ModelQueue;
import io.millrace.model.ModelQueueLease;
import io.millrace.model.ReferenceModel;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs a history on the model and on an engine side by side and compares every answer.
 *
 * <p>A millisecond passes before each step and everything else happens in whole seconds, so that no
 * two steps end leases or delays at the same instant.
 */
final class HistoryRunner implements AutoCloseable {

  final World world;
  final LeaseSteps leases;
  final OperatorSteps operators;
  final RemovalSteps removals;
  final ChangeSteps changes;
  final QueueLeaseSteps queueLeases;
  final TenantSteps tenants;
  final TransactionSteps transactions;
  final SignalSteps signals;
  final BatchSteps batches;
  final TimeSteps time;
  private Optional<Parked> parked = Optional.empty();
  private int payloadCount;

  /** Each step is followed by a question about another job. */
  private int asked;

  /**
   * A claim that waits.
   *
   * @param through the lease on the queue that it is made through, if any
   * @param asked what is cancelled to give it up
   * @param isAcrossTenants whether the queues have turns, which the engine tells
   */
  record Parked(
      List<QueueName> queues,
      ClaimOptions options,
      long endMonotonicMs,
      Optional<ModelQueueLease> through,
      CompletableFuture<?> asked,
      CompletableFuture<QueueClaimResult> future,
      boolean isAcrossTenants) {

    List<ModelLease> granted(ReferenceModel model) {
      return through
          .map(lease -> model.claims.claim(lease, options))
          .orElseGet(() -> model.claims.claim(queues, options));
    }
  }

  HistoryRunner(StoreKind kind, Path folder, Setup setup, Coverage coverage) {
    this.world = new World(kind, folder, setup, coverage);
    this.leases = new LeaseSteps(world);
    this.operators = new OperatorSteps(world);
    this.removals = new RemovalSteps(world);
    this.changes = new ChangeSteps(world);
    this.queueLeases = new QueueLeaseSteps(world);
    this.tenants = new TenantSteps(world);
    this.transactions = new TransactionSteps(world);
    this.signals = new SignalSteps(world);
    this.batches = new BatchSteps(this, world);
    this.time = new TimeSteps(this, world);
  }

  /** Runs all steps, and ends with a comparison of everything. */
  void run(List<Op> steps) {
    for (Op step : steps) {
      // Who of several jobs is served that go on after a batch is not specified.
      if (!step.canMeetParkedClaim() || world.model.tallies.isAwaited()) {
        cancelParked();
      }
      time.moveBy(1);
      long before = world.model.events.newestStep();
      step.run(this);
      time.settleWoken(before);
      serveParked();
      batches.check(asked);
      new ExplainCheck(world, parked).of(asked++);
    }
    cancelParked();
    queueLeases.check();
    ContentCheck.of(world, 7);
  }

  void enqueue(int queue, int count, JobShape shape) {
    EnqueueOptions options = shape.limitedOptions(world.harness.clock().epochMs());
    QueueName name = Histories.queue(queue);
    enqueue(name, count, shape, options, () -> refusal(world.model.queue(name)));
  }

  /**
   * Enqueues jobs, of which the model says whether they are refused.
   *
   * @param refused what the engine answers if they are
   */
  void enqueue(
      QueueName name,
      int count,
      JobShape shape,
      EnqueueOptions options,
      Supplier<EnqueueResult> refused) {
    List<NewJob> jobs = new ArrayList<>();
    List<ModelEnqueued> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(new NewJob(shape.payload(++payloadCount), options));
    }
    world.model.slots.call(
        () -> jobs.forEach(job -> expected.add(world.model.offer(name, job.payload(), options))));
    boolean isRefused = expected.stream().anyMatch(ModelEnqueued::isRefused);
    Optional<EnqueueResult> refusal = isRefused ? Optional.of(refused.get()) : Optional.empty();
    JobQueue target = world.engine().queue(name);
    if (count == 1) {
      world.answer(
          () -> target.offer(jobs.get(0).payload(), options),
          () -> target.offerAsync(jobs.get(0).payload(), options),
          result -> bind(name, refusal, expected, List.of(result)));
    } else {
      world.answer(
          () -> target.offerAll(jobs),
          () -> target.offerAllAsync(jobs),
          results -> bind(name, refusal, expected, results));
    }
  }

  static EnqueueResult refusal(ModelQueue queue) {
    return queue.isDraining
        ? new EnqueueResult.Draining(queue.name)
        : new EnqueueResult.QueueFull(queue.name, queue.settings.depthMax().orElse(-1));
  }

  private void bind(
      QueueName queue,
      Optional<EnqueueResult> refusal,
      List<ModelEnqueued> expected,
      List<EnqueueResult> results) {
    assertThat(results).hasSameSizeAs(expected);
    for (int i = 0; i < results.size(); i++) {
      ModelEnqueued wanted = expected.get(i);
      if (wanted.isRefused()) {
        assertThat(results.get(i)).isEqualTo(refusal.orElseThrow());
        continue;
      }
      assertThat(results.get(i)).isInstanceOf(Enqueued.class);
      JobId id = results.get(i).orThrow().jobId();
      assertThat(results.get(i)).isEqualTo(wanted.answer(id, world::id));
      wanted.job().ifPresent(job -> world.bear(job, id));
    }
  }

  void claim(Op.Claim step) {
    List<QueueName> queues = closed(Histories.queues(step.queues()));
    ClaimOptions options = World.by(step.worker()).max(step.max()).capacity(step.capacity());
    if (step.leaseSeconds() > 0) {
      options = options.leaseDuration(Duration.ofSeconds(step.leaseSeconds()));
    }
    // A queue that is unloaded forgets which of its jobs were passed over.
    if (step.maxWeight() > 0 && world.setup.loading() == Setup.Loading.ALWAYS) {
      options = options.maxWeight(step.maxWeight());
    }
    claim(queues, options);
  }

  private void claim(List<QueueName> queues, ClaimOptions options) {
    List<ModelLease> expected = world.model.claims.claim(queues, options);
    Consumer<List<Lease>> check = leases -> world.hold(expected, leases);
    if (queues.size() == 1) {
      JobQueue queue = world.engine().queue(queues.get(0));
      world.answer(() -> queue.claim(options), () -> queue.claimAsync(options), check);
    } else {
      world.answer(
          () -> world.engine().claim(queues, options),
          () -> world.engine().claimAsync(queues, options),
          check);
    }
  }

  /** The queues, or the first of them if the order among them is open. */
  private List<QueueName> closed(List<QueueName> queues) {
    return world.model.claims.isOrderOpen(queues) ? queues.subList(0, 1) : queues;
  }

  void park(Op.Park step) {
    List<QueueName> queues = closed(Histories.queues(step.queues()));
    ClaimOptions options = World.by(step.worker());
    CompletableFuture<List<Lease>> asked =
        world.engine().claimAsync(queues, options.waiting(Duration.ofSeconds(step.seconds())));
    parked =
        Optional.of(
            new Parked(
                queues,
                options,
                world.model.time.monotonicMs() + 1_000L * step.seconds(),
                Optional.empty(),
                asked,
                asked.thenApply(QueueClaimResult.Claimed::new),
                false));
  }

  void park(Op.ParkAcross step) {
    ClaimOptions options = World.by(step.worker());
    CompletableFuture<List<Lease>> asked =
        tenants.claimAsync(options.waiting(Duration.ofSeconds(step.seconds())));
    parked =
        Optional.of(
            new Parked(
                Histories.tenants(),
                options,
                world.model.time.monotonicMs() + 1_000L * step.seconds(),
                Optional.empty(),
                asked,
                asked.thenApply(QueueClaimResult.Claimed::new),
                true));
  }

  void park(Op.QueuePark step) {
    queueLeases.chosen(step.lease()).ifPresent(lease -> park(lease, step.seconds()));
  }

  private void park(QueueLeaseSteps.HeldQueue lease, int seconds) {
    ClaimOptions options = ClaimOptions.by(lease.model().worker);
    CompletableFuture<QueueClaimResult> asked =
        lease.engine().claimAsync(options.waiting(Duration.ofSeconds(seconds)));
    parked =
        Optional.of(
            new Parked(
                List.of(lease.model().queue),
                options,
                world.model.time.monotonicMs() + 1_000L * seconds,
                Optional.of(lease.model()),
                asked,
                asked,
                false));
  }

  Optional<Parked> parked() {
    return parked;
  }

  /** Compares the parked claim's grant, or its time-out, as soon as the model knows of it. */
  void serveParked() {
    if (parked.isEmpty()) {
      return;
    }
    Parked claim = parked.get();
    if (claim.through().filter(lease -> !lease.isCurrent()).isPresent()) {
      parked = Optional.empty();
      assertThat(World.join(claim.future())).isEqualTo(new QueueClaimResult.StaleLease());
      return;
    }
    if (claim.isAcrossTenants()) {
      if (world.model.claims.isAnyFor(claim.queues(), claim.options())) {
        parked = Optional.empty();
        tenants.served(World.join(claim.future()).orThrow(), claim.options());
        return;
      }
    }
    List<ModelLease> granted = claim.granted(world.model);
    if (!granted.isEmpty() || world.model.time.monotonicMs() >= claim.endMonotonicMs()) {
      parked = Optional.empty();
      world.hold(granted, World.join(claim.future()).orThrow());
    } else {
      assertThat(claim.future()).as("a claim that waits").isNotDone();
    }
  }

  void cancelParked() {
    parked.ifPresent(claim -> claim.asked().cancel(true));
    parked = Optional.empty();
  }

  void burst(List<Op> steps) {
    world.group(() -> steps.forEach(step -> step.run(this)));
  }

  @Override
  public void close() {
    world.close();
  }
}
