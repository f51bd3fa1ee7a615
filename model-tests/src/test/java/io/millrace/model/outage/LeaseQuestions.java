package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.ReleaseResult;
import io.millrace.model.ModelJob;
import io.millrace.model.ModelLease;
import io.millrace.model.history.Histories;
import io.millrace.model.history.LeaseSteps;
import io.millrace.model.history.Op.Ending;
import io.millrace.model.history.Texts;
import io.millrace.model.history.World;
import io.millrace.model.outage.Question.Effect;
import io.millrace.model.outage.Question.Kind;
import io.millrace.model.outage.Question.Terms;
import io.millrace.model.outage.SeededWorld.Held;
import io.millrace.model.seeds.SeededEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** What workers ask. */
final class LeaseQuestions {

  private static final int RESULT_BYTES = 300;
  private static final int CHECKPOINT_BYTES = 150;

  private LeaseQuestions() {}

  static Question<List<Lease>> claim(SeededWorld world, SeededCall.Claim call) {
    List<QueueName> all = Histories.queues(call.queues());
    boolean isOpen = world.live().model.claims.isOrderOpen(all);
    List<QueueName> queues = isOpen ? all.subList(0, 1) : all;
    ClaimOptions named = World.by(call.worker()).max(call.max());
    ClaimOptions options =
        call.leaseSeconds() > 0
            ? named.leaseDuration(Duration.ofSeconds(call.leaseSeconds()))
            : named;
    return new Question<>(
        new Terms(Kind.CLAIMS, call.level()),
        seeded ->
            isAcrossTenants(queues, call.worker())
                ? seeded
                    .engine()
                    .with(call.level())
                    .claimAcrossTenantsAsync(queues.get(0).name(), options)
                : seeded.engine().with(call.level()).claimAsync(queues, options),
        (model, told) -> {
          int first = model.grantedCount();
          return check(world, model, first, model.claim(queues, options, told));
        });
  }

  static Question<List<Lease>> wait(SeededWorld world, SeededCall.Wait call) {
    List<QueueName> queues = List.of(Histories.queue(call.queue()));
    ClaimOptions options = World.by(call.worker()).max(call.max());
    ClaimOptions waiting = options.waiting(Duration.ofSeconds(call.seconds()));
    return new Question<>(
        new Terms(Kind.WAITS, call.level()),
        seeded ->
            isAcrossTenants(queues, call.worker())
                ? seeded
                    .engine()
                    .with(call.level())
                    .claimAcrossTenantsAsync(queues.get(0).name(), waiting)
                : seeded.engine().with(call.level()).claimAsync(queues, waiting),
        (model, told) -> {
          int first = model.grantedCount();
          return check(world, model, first, model.claim(queues, options, told));
        });
  }

  /**
   * Of a name with one tenant, a claim across all tenants gets what one of the queue gets: some
   * workers claim so.
   */
  private static boolean isAcrossTenants(List<QueueName> queues, int worker) {
    return queues.size() == 1 && worker > 0;
  }

  /**
   * What a claim does that was answered in a group that the store then refused: it keeps the leases
   * that it was told of, whatever became of the calls before it.
   */
  static Effect<List<Lease>> granted(SeededWorld world, List<Lease> leases, AnsweredAt told) {
    long sinceMs = world.seeded.clock().passedMs() - told.atMs();
    Map<Integer, ClaimOptions> options = new LinkedHashMap<>();
    for (Lease lease : leases) {
      Duration granted = lease.remaining().plusMillis(sinceMs);
      options.put(
          world.numberOf(lease.jobId()), ClaimOptions.by(lease.worker()).leaseDuration(granted));
    }
    return (model, when) -> {
      int first = model.grantedCount();
      List<ModelLease> expected = new ArrayList<>();
      options.forEach((job, by) -> expected.add(model.grant(job, by, when)));
      return check(world, model, first, expected);
    };
  }

  /** Compares leases with those of the model, and keeps them. */
  static Consumer<List<Lease>> check(
      SeededWorld world, SeededModel model, int first, List<ModelLease> expected) {
    return leases -> {
      List<String> wanted = new ArrayList<>();
      List<String> got = new ArrayList<>();
      for (ModelLease lease : expected) {
        JobId id = world.id(lease.job.number).orElseGet(() -> bound(world, lease.job, leases));
        wanted.add(Texts.of(lease, id, model.model.time));
      }
      for (int i = 0; i < leases.size(); i++) {
        boolean isErrorByEngine = i < expected.size() && expected.get(i).isErrorByEngine;
        got.add(Texts.of(leases.get(i), isErrorByEngine));
      }
      assertThat(got).isEqualTo(wanted);
      world.hold(first, leases);
    };
  }

  /** A job whose birth nobody was told of is met in a lease. */
  private static JobId bound(SeededWorld world, ModelJob job, List<Lease> leases) {
    String marker = job.options.headers().get(SeededWorld.MARKER);
    JobId id =
        leases.stream()
            .filter(lease -> lease.headers().get(SeededWorld.MARKER).equals(marker))
            .map(Lease::jobId)
            .findFirst()
            .orElseThrow(() -> new AssertionError("nobody was given " + job));
    world.bind(job.number, job.queue, id);
    return id;
  }

  static Question<?> finish(SeededWorld world, Held held, SeededCall.Finish call) {
    Lease lease = held.handle().with(call.level());
    Duration duration = Duration.ofSeconds(call.seconds());
    Instant wall = Instant.ofEpochMilli(world.wallMs());
    Finishing finishing = new Finishing(held.number(), call.level());
    return switch (call.ending()) {
      case COMPLETE -> finishing.complete(lease, call.seconds());
      case FAIL, FAIL_PERMANENTLY, FAIL_WITH_DELAY ->
          finishing.fail(lease, call.ending(), call.seconds());
      case RELEASE, CLOSE ->
          finishing.async(lease::releaseAsync, (model, it) -> model.model.holder.release(it));
      case EXTEND ->
          finishing.question(
              Kind.LENGTHENS,
              seeded -> lease.extendAsync(duration),
              (model, it) -> extended(model, it, model.model.holder.extend(it, duration)));
      case SNOOZE_FOR ->
          finishing.blocking(
              () -> lease.snooze(duration), (model, it) -> model.model.holder.snooze(it, duration));
      case SNOOZE_UNTIL -> finishing.snoozeUntil(lease, wall.plus(duration));
      case SNOOZE_UNTIL_PAST -> finishing.snoozeUntil(lease, wall.minus(duration));
      case CHECKPOINT -> {
        byte[] payload = new byte[CHECKPOINT_BYTES * call.seconds()];
        payload[0] = (byte) world.nextMarker();
        yield finishing.checkpoint(lease, payload);
      }
    };
  }

  /** What one lease, by number, is ended or kept with. */
  private record Finishing(int number, Durability level) {

    /** What a call does with a lease of the model. */
    interface Use<T> {
      T of(SeededModel model, ModelLease lease);
    }

    <T> Question<T> async(Supplier<CompletableFuture<T>> call, Use<T> use) {
      return question(Kind.FREES, seeded -> call.get(), use);
    }

    <T> Question<T> blocking(Supplier<T> call, Use<T> use) {
      return question(Kind.FREES, seeded -> seeded.ask(call), use);
    }

    <T> Question<T> question(
        Kind kind, Function<SeededEngine, CompletableFuture<T>> asking, Use<T> use) {
      return new Question<>(
          new Terms(kind, level),
          asking,
          (model, told) -> {
            T expected = use.of(model, model.lease(number));
            return answer -> assertThat(answer).isEqualTo(expected);
          });
    }

    Question<CompleteResult> complete(Lease lease, int seconds) {
      if (seconds % 2 == 0) {
        return async(lease::completeAsync, (model, it) -> model.model.holder.complete(it));
      }
      byte[] result = new byte[RESULT_BYTES * seconds];
      return async(
          () -> lease.completeAsync(result),
          (model, it) -> model.model.holder.complete(it, Optional.of(result)));
    }

    Question<FailResult> fail(Lease lease, Ending ending, int seconds) {
      String error = LeaseSteps.ERRORS.get(seconds % LeaseSteps.ERRORS.size());
      FailOptions options = LeaseSteps.options(ending, seconds);
      return async(
          () -> lease.failAsync(error, options), (model, it) -> failed(model, it, error, options));
    }

    Question<ReleaseResult> snoozeUntil(Lease lease, Instant until) {
      return blocking(
          () -> lease.snooze(until), (model, it) -> model.model.holder.snooze(it, until));
    }

    Question<ExtendResult> checkpoint(Lease lease, byte[] payload) {
      return question(
          Kind.GROWS,
          seeded -> seeded.ask(() -> lease.checkpoint(payload)),
          (model, it) -> extended(model, it, model.model.holder.checkpoint(it, payload)));
    }
  }

  static Question<?> finishMany(SeededWorld world, SeededCall.FinishMany call) {
    List<Held> chosen =
        call.leases().stream().map(lease -> world.chosenLease(lease).orElseThrow()).toList();
    List<Lease> leases = chosen.stream().map(Held::handle).toList();
    Duration duration = Duration.ofSeconds(call.seconds());
    FailOptions failing = LeaseSteps.options(call.ending(), call.seconds());
    Many many = new Many(chosen, world.setup.durability());
    return switch (call.ending()) {
      case FAIL, FAIL_PERMANENTLY, FAIL_WITH_DELAY ->
          many.question(
              Kind.FREES,
              seeded -> seeded.engine().failAllAsync(leases, "many", failing),
              (model, it) -> failed(model, it, "many", failing));
      case EXTEND, CHECKPOINT ->
          many.question(
              Kind.LENGTHENS,
              seeded -> seeded.engine().extendAllAsync(leases, duration),
              (model, it) -> extended(model, it, model.model.holder.extend(it, duration)));
      case COMPLETE ->
          many.question(
              Kind.FREES,
              seeded -> seeded.engine().completeAllAsync(leases),
              (model, it) -> model.model.holder.complete(it));
      default ->
          many.question(
              Kind.FREES,
              seeded -> seeded.engine().releaseAllAsync(leases),
              (model, it) -> model.model.holder.release(it));
    };
  }

  /** Several leases in one call. */
  private record Many(List<Held> held, Durability level) {

    <T> Question<List<T>> question(
        Kind kind,
        Function<SeededEngine, CompletableFuture<List<T>>> asking,
        Finishing.Use<T> use) {
      return new Question<>(
          new Terms(kind, level),
          asking,
          (model, told) -> {
            List<T> expected = new ArrayList<>();
            model.model.slots.call(
                () -> held.forEach(one -> expected.add(use.of(model, model.lease(one.number())))));
            return answer -> assertThat(answer).isEqualTo(expected);
          });
    }
  }

  private static FailResult failed(
      SeededModel model, ModelLease lease, String error, FailOptions options) {
    return LeaseSteps.failResult(
        model.model, lease, model.model.holder.fail(lease, error, options));
  }

  private static ExtendResult extended(SeededModel model, ModelLease lease, boolean isExtended) {
    return LeaseSteps.extendResult(model.model, lease, isExtended);
  }
}
