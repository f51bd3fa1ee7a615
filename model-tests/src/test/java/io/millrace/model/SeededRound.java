package io.millrace.model;

import io.millrace.api.Durability;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.model.Question.Kind;
import io.millrace.model.SeededLog.Entry;
import io.millrace.model.seeds.Answers;
import io.millrace.model.seeds.StoreEvent;
import io.millrace.model.seeds.StoreEvent.Outcome;
import io.millrace.model.seeds.TracedFactory;
import io.millrace.spi.StoreFullException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * What the loop works on in one go: calls that were made while it rested, and what was due.
 *
 * <p>All calls share one batch, and what is due comes before them in it. If the store refuses it as
 * full, claims that were answered before keep their leases, those that free are tried once more and
 * the others are refused.
 */
final class SeededRound {

  private final SeededWorld world;
  private final TracedFactory store;
  private final List<Asked<?>> asked = new ArrayList<>();
  private final boolean wasFull;
  private final List<Runnable> checks = new ArrayList<>();
  private long batch;
  private long dueBatch;

  /** A round of these calls, as far as they mean something now. */
  SeededRound(SeededWorld world, List<? extends SeededCall> calls) {
    this.world = world;
    this.store = world.seeded.store();
    this.wasFull = world.engine().isFull();
    for (SeededCall call : calls) {
      call.question(world).ifPresent(question -> asked.add(new Asked<>(call, question)));
    }
  }

  /** Whether a call may take several batches. */
  boolean isInSteps() {
    return asked.stream().anyMatch(one -> one.question.steps().isPresent());
  }

  boolean isEmpty() {
    return asked.isEmpty();
  }

  /** A call on its way. */
  private final class Asked<T> {
    private final SeededCall call;
    private final Question<T> question;
    private Optional<CompletableFuture<T>> future = Optional.empty();
    private Told told = Told.NEVER;
    private int eventsBefore;

    Asked(SeededCall call, Question<T> question) {
      this.call = call;
      this.question = question;
    }

    void ask() {
      CompletableFuture<T> answer = question.asking().apply(world.seeded);
      future = Optional.of(answer);
      if (question.terms().kind() == Kind.CLAIMS) {
        // On the loop's thread, in the middle of its work.
        answer.thenRun(
            () -> {
              told = new Told(world.seeded.clock().passedMs());
              eventsBefore = store.events().size();
            });
      }
    }

    CompletableFuture<T> future() {
      return future.orElseThrow();
    }

    Optional<Throwable> failure() {
      return Answers.failure(future());
    }
  }

  /** Makes the calls, in their order. */
  void ask() {
    asked.forEach(Asked::ask);
  }

  /** The last batch that holds something that was due. */
  long dueBatch() {
    return dueBatch;
  }

  /** Does in the model what the engine did, and compares. */
  void judge(SeededPromises promises, SeededTally tally) {
    List<StoreEvent> events = store.events();
    events.stream().filter(SeededRound::isProbe).forEach(probe -> world.log.skip(probe.number()));
    batch =
        events.stream()
            .filter(SeededRound::holdsWork)
            .findFirst()
            .map(StoreEvent::number)
            .orElseGet(store::lastCommit);
    if (isDueWorkDone(events)) {
      fire(batch, promises);
    }
    asked.stream()
        .sorted(Comparator.comparingInt(one -> one.eventsBefore))
        .forEach(
            one -> refusedAfter(one).ifPresent(full -> keep(cast(one), full.number(), promises)));
    for (Asked<?> one : asked) {
      if (refusedAfter(one).isEmpty()) {
        judge(one, promises, tally);
      }
    }
    passSlowTime(events, promises);
    checks.forEach(Runnable::run);
  }

  /** Not if the reserve is used up, nor if the engine failed before it came to that. */
  private boolean isDueWorkDone(List<StoreEvent> events) {
    boolean isFailed = world.engine().poison().isPresent();
    return events.stream().noneMatch(SeededRound::isReserveRefused)
        && (!isFailed || events.stream().anyMatch(SeededRound::holdsWork));
  }

  /** A look whether there is room, which holds the time alone. */
  private static boolean isProbe(StoreEvent event) {
    return event.isBatch() && event.rowCount() == 1;
  }

  private static boolean holdsWork(StoreEvent event) {
    return event.isBatch() && event.rowCount() > 1;
  }

  private static boolean isReserveRefused(StoreEvent event) {
    return event.outcome() == Outcome.FULL && event.usesReserve();
  }

  /** The write of the group in which a claim was answered early, if it was refused. */
  private Optional<StoreEvent> refusedAfter(Asked<?> one) {
    if (!one.told.isTold()) {
      return Optional.empty();
    }
    return store.events().subList(one.eventsBefore, store.events().size()).stream()
        .filter(event -> event.kind() == StoreEvent.Kind.WRITE && event.rowCount() > 1)
        .findFirst()
        .filter(event -> event.outcome() == Outcome.FULL);
  }

  private void fire(long number, SeededPromises promises) {
    world.log.add(number, SeededModel::fire);
    dueBatch = number;
    promises.passChanges();
  }

  /** Time that slow calls took, which the engine sees before its next batch, and what came due. */
  private void passSlowTime(List<StoreEvent> events, SeededPromises promises) {
    long slowMs = 0;
    for (StoreEvent event : events) {
      if (slowMs > 0 && holdsWork(event) && event.number() > batch) {
        world.log.passTime(slowMs);
        fire(event.number(), promises);
        slowMs = 0;
      }
      slowMs += event.slowMs();
    }
    world.log.passTime(slowMs);
    if (slowMs > 0 && world.engine().poison().isEmpty()) {
      fire(store.lastCommit(), promises);
    }
  }

  /** Every answered call of this growth is a claim. */
  @SuppressWarnings("unchecked")
  private static Asked<List<Lease>> cast(Asked<?> claim) {
    return (Asked<List<Lease>>) claim;
  }

  /** A claim that was answered in a group that was then refused. */
  private void keep(Asked<List<Lease>> claim, long number, SeededPromises promises) {
    List<Lease> leases = Answers.of(claim.future());
    int first = world.live().grantedCount();
    Question.Effect<List<Lease>> effect = LeaseQuestions.granted(world, leases, claim.told);
    List<Consumer<List<Lease>>> check = new ArrayList<>();
    Entry entry = world.log.add(number, model -> check.add(effect.on(model, claim.told)));
    checks.add(() -> check.get(0).accept(leases));
    noteGrants(entry, claim, first, promises);
    promises.passChanges();
  }

  /** A call that takes several batches, of which some may have happened and others not. */
  private void judgeSteps(
      Asked<?> one, Question.Steps steps, SeededPromises promises, SeededTally tally) {
    List<Long> batches =
        store.events().stream().filter(SeededRound::holdsWork).map(StoreEvent::number).toList();
    List<Consumer<SeededModel>> effects = steps.apply(world.live());
    Durability level = one.question.terms().level();
    Optional<Throwable> failure = one.failure();
    tally.count("calls in steps " + (failure.isPresent() ? "that failed" : "answered"));
    if (failure.isEmpty() && batches.size() < effects.size()) {
      throw new AssertionError(one.call + " was answered after " + batches.size() + " batches");
    }
    for (int i = 0; i < Math.min(effects.size(), batches.size()); i++) {
      Entry entry = world.log.add(batches.get(i), effects.get(i));
      promises.noteChanges(batches.get(i), level);
      if (failure.isEmpty()) {
        promises.acknowledged(entry, level, one.call.toString());
      }
    }
    failure.ifPresent(why -> failed(one, why));
  }

  private void failed(Asked<?> one, Throwable failure) {
    if (failure instanceof StoreFullException) {
      refused(one, failure);
    } else {
      unknown(failure);
    }
  }

  private <T> void judge(Asked<T> one, SeededPromises promises, SeededTally tally) {
    if (one.question.steps().isPresent()) {
      judgeSteps(one, one.question.steps().get(), promises, tally);
      return;
    }
    Optional<Throwable> failure = one.failure();
    if (failure.isPresent() && !(failure.get() instanceof OutcomeUnknownException)) {
      refused(one, failure.get());
      tally.count("calls refused by a full store");
      return;
    }
    int first = world.live().grantedCount();
    List<Consumer<T>> check = new ArrayList<>();
    Entry entry =
        world.log.add(batch, model -> check.add(one.question.effect().on(model, one.told)));
    boolean isClaim = one.question.terms().kind() == Kind.CLAIMS;
    if (isClaim && failure.isEmpty()) {
      noteGrants(entry, cast(one), first, promises);
    }
    if (isClaim) {
      promises.passChanges();
    } else {
      promises.noteChanges(batch, one.question.terms().level());
    }
    if (failure.isPresent()) {
      unknown(failure.get());
      tally.count("calls of unknown outcome");
      return;
    }
    tally.count("calls answered");
    T answer = Answers.of(one.future());
    checks.add(() -> check.get(0).accept(answer));
    if (!isClaim && one.question.terms().kind() != Kind.LENGTHENS) {
      promises.acknowledged(entry, one.question.terms().level(), one.call.toString());
    }
  }

  private void refused(Asked<?> one, Throwable failure) {
    boolean isFull =
        wasFull || store.events().stream().anyMatch(event -> event.outcome() == Outcome.FULL);
    if (!(failure instanceof StoreFullException) || !isFull) {
      throw new AssertionError("refused without need: " + one.call, failure);
    }
    boolean isReserveRefused = store.events().stream().anyMatch(SeededRound::isReserveRefused);
    if (one.question.terms().kind() != Kind.GROWS && !isReserveRefused) {
      throw new AssertionError(
          "what frees was refused though the reserve has room: " + one.call, failure);
    }
  }

  private void unknown(Throwable failure) {
    if (store.happened().stream().noneMatch(mishap -> mishap.isFatal())) {
      throw new AssertionError("the outcome is unknown though nothing failed", failure);
    }
  }

  private void noteGrants(
      Entry entry, Asked<List<Lease>> claim, int first, SeededPromises promises) {
    List<ModelLease> leases = new ArrayList<>();
    for (int number = first; number < world.live().grantedCount(); number++) {
      leases.add(world.live().lease(number));
    }
    Durability level = claim.question.terms().level();
    String what = claim.call.toString();
    promises.given(entry, leases, Answers.of(claim.future()), what);
    boolean doesWait =
        world.setup.claimsAnswer() == ClaimsAnswer.AFTER_COMMIT
            || world.setup.leasesAtOpen() == LeasesAtOpen.HONOUR;
    if (doesWait && !leases.isEmpty() || leases.stream().anyMatch(promises::isSuspect)) {
      promises.acknowledged(entry, level, what);
    }
  }
}
