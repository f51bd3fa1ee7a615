package io.millrace.model.outage;

import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.model.ModelLease;
import io.millrace.model.outage.Question.Effect;
import io.millrace.model.outage.Question.Kind;
import io.millrace.model.outage.SeededLog.Entry;
import io.millrace.model.seeds.StoreEvent;
import io.millrace.model.seeds.StoreEvent.Outcome;
import io.millrace.model.seeds.TracedFactory;
import io.millrace.spi.StoreFullException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What the loop works on in one go: calls that were made while it rested, and what was due.
 *
 * <p>All calls share one batch, and what is due comes before them in it. If the store refuses it as
 * full, claims that were answered before keep their leases, those that free are tried once more and
 * the others are refused.
 */
final class SeededRound {

  private final SeededWorld world;
  private final SeededPromises promises;
  private final SeededTally tally;
  private final TracedFactory store;
  private final List<Asked<?>> asked = new ArrayList<>();
  private final Set<Long> judgedTokens = new HashSet<>();
  private final boolean wasFull;
  private final List<Runnable> checks = new ArrayList<>();
  private long batch;
  private long dueBatch;

  /** A round of these calls, as far as they mean something now. */
  SeededRound(SeededWorld world, SeededPromises promises, SeededTally tally, SeededCall... calls) {
    this.world = world;
    this.promises = promises;
    this.tally = tally;
    this.store = world.seeded.store();
    this.wasFull = world.engine().isFull();
    for (SeededCall call : calls) {
      boolean isSecondWait = call instanceof SeededCall.Wait && isAskedToWait();
      if (!isSecondWait) {
        call.question(world).ifPresent(question -> asked.add(new Asked<>(call, question)));
      }
    }
  }

  private boolean isAskedToWait() {
    return asked.stream().anyMatch(one -> one.call() instanceof SeededCall.Wait);
  }

  /**
   * Whether it is open what comes of time that passes meanwhile: what comes due in the middle of a
   * call's steps is not told from the steps, nor which of several jobs that come due a claim that
   * waits is given, and a drain looks how far it is after its batch.
   */
  boolean hangsOnTheMoment() {
    return isAskedToWait()
        || asked.stream()
            .anyMatch(
                one ->
                    one.question().steps().isPresent() || one.call() instanceof SeededCall.Drain);
  }

  boolean isEmpty() {
    return asked.isEmpty();
  }

  /** Makes the calls, in their order. */
  void ask() {
    asked.forEach(one -> one.ask(world));
  }

  /** The batch that holds what the calls did. */
  long batch() {
    return batch;
  }

  /** The last batch that holds something that was due. */
  long dueBatch() {
    return dueBatch;
  }

  /** Whether something went wrong after which the engine does nothing any more. */
  boolean isFatal() {
    return store.happened().stream().anyMatch(mishap -> mishap.isFatal());
  }

  /** Does in the model what the engine did, and compares. */
  void judge() {
    world.beginRound();
    List<StoreEvent> events = store.events();
    events.stream().filter(SeededRound::isProbe).forEach(probe -> world.log.skip(probe.number()));
    batch =
        events.stream()
            .filter(SeededRound::holdsWork)
            .findFirst()
            .map(StoreEvent::number)
            .orElseGet(store::lastCommit);
    world.waiting.ifPresent(waiting -> waiting.keepIfRefused(this, events));
    if (isDueWorkDone(events)) {
      fire(batch);
    }
    asked.stream()
        .sorted(Comparator.comparingInt(Asked::eventsBefore))
        .forEach(
            one -> one.refusedAfter(events).ifPresent(full -> keep(one.asClaim(), full.number())));
    for (Asked<?> one : asked) {
      if (one.refusedAfter(events).isEmpty()) {
        judge(one);
      }
    }
    leaveIfOver();
    passSlowTime(events);
    world.waiting.ifPresent(waiting -> waiting.endIfOver(this));
    checks.forEach(Runnable::run);
    asked.stream().filter(Asked::isDone).forEach(one -> store.trace().add(one.text()));
  }

  /**
   * Not if the reserve is used up, nor if the engine failed before it came to that. The end of a
   * lease on a queue writes nothing, but whoever waited for it is served.
   */
  private boolean isDueWorkDone(List<StoreEvent> events) {
    boolean isFailed = world.engine().poison().isPresent();
    boolean isAnyoneServed =
        world.waiting.stream().anyMatch(waiting -> !waiting.leases().isEmpty());
    return events.stream().noneMatch(SeededRound::isReserveRefused)
        && (!isFailed || isAnyoneServed || events.stream().anyMatch(SeededRound::holdsWork));
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

  private void fire(long number) {
    boolean isOrderOpen = world.live().dueCount() > 1;
    world.log.add(number, SeededModel::fire);
    dueBatch = number;
    promises.noteEnds(number);
    promises.passChanges();
    world.waiting.ifPresent(waiting -> waiting.serve(this, isOrderOpen));
  }

  /** What becomes ready in the time that slow calls take is not for those whose time is up. */
  private void leaveIfOver() {
    long nowMs = world.live().model.time.monotonicMs();
    world
        .waiting
        .filter(waiting -> waiting.isOverAt(nowMs))
        .ifPresent(waiting -> waiting.endIfOver(this));
  }

  /** Time that slow calls took, which the engine sees before its next batch, and what came due. */
  private void passSlowTime(List<StoreEvent> events) {
    long slowMs = 0;
    long unseenMs = 0;
    boolean isDueWorkOff = false;
    for (StoreEvent event : events) {
      isDueWorkOff = isReserveRefused(event) || isDueWorkOff && !event.isBatch();
      if (isProbe(event) || event.outcome() == Outcome.FULL) {
        // The engine does not look at the clock between this and the batch that follows it.
        unseenMs += event.slowMs();
        continue;
      }
      if (slowMs > 0 && holdsWork(event)) {
        world.log.passTime(slowMs);
        fire(event.number());
        slowMs = 0;
      }
      slowMs += unseenMs + event.slowMs();
      unseenMs = 0;
    }
    slowMs += unseenMs;
    world.log.passTime(slowMs);
    if (slowMs > 0 && world.engine().poison().isEmpty() && !isDueWorkOff) {
      fire(store.lastCommit());
    }
  }

  /**
   * A claim that was answered in a group that was then refused: it keeps its leases, whatever
   * became of the calls before it.
   */
  void keep(Asked<List<Lease>> claim, long number) {
    claimed(claim, number, LeaseQuestions.granted(world, claim.answer(), claim.told()));
  }

  /** Grants the very leases that a claim was answered with: it was open which these are. */
  void granted(Asked<List<Lease>> claim) {
    keep(claim, batchOf(claim.answer()));
  }

  /** Grants leases in the model, as the claim's effect says; answers whether there were any. */
  boolean claimed(Asked<List<Lease>> claim) {
    boolean isTold = claim.isDone() && claim.failure().isEmpty();
    return claimed(
        claim, isTold ? batchOf(claim.answer()) : Entry.NEVER, claim.question().effect());
  }

  /**
   * The batch that has the rows of leases. It is the next one if none of the round has, unless one
   * of the leases turns out to end before that. Nor is it stored that there was nothing to lease.
   */
  private long batchOf(List<Lease> leases) {
    Set<Long> tokens = leases.stream().map(Lease::token).collect(Collectors.toSet());
    OptionalLong found = tokens.isEmpty() ? OptionalLong.empty() : batchOf(tokens);
    return found.orElseGet(this::nextBatch);
  }

  private long nextBatch() {
    LongStream tried =
        store.events().stream().filter(StoreEvent::isBatch).mapToLong(StoreEvent::number);
    return Math.max(store.lastCommit(), tried.max().orElse(0)) + 1;
  }

  private OptionalLong batchOf(Set<Long> tokens) {
    return store.events().stream()
        .filter(StoreEvent::isBatch)
        .filter(event -> event.tokens().containsAll(tokens))
        .mapToLong(StoreEvent::number)
        .findFirst();
  }

  /**
   * The batch that has the rows of leases that nobody was told of: those of the next tokens that
   * nobody knows.
   */
  private long batchOfUntold(int count) {
    Set<Long> next = new TreeSet<>();
    store.events().stream()
        .filter(StoreEvent::isBatch)
        .forEach(event -> next.addAll(event.tokens()));
    next.removeAll(judgedTokens);
    next.removeAll(world.tokens());
    asked.stream().flatMap(one -> one.leases().stream()).map(Lease::token).forEach(next::remove);
    world.waiting.stream()
        .flatMap(waiting -> waiting.leases().stream())
        .map(Lease::token)
        .forEach(next::remove);
    Set<Long> tokens = next.stream().limit(count).collect(Collectors.toSet());
    judgedTokens.addAll(tokens);
    return tokens.size() < count ? Entry.NEVER : batchOf(tokens).orElse(Entry.NEVER);
  }

  private boolean claimed(Asked<List<Lease>> claim, long number, Effect<List<Lease>> effect) {
    int first = world.live().grantedCount();
    List<Consumer<List<Lease>>> check = new ArrayList<>();
    Entry entry = world.log.add(number, model -> check.add(effect.on(model, claim.told())));
    if (claim.isDone() && claim.failure().isEmpty()) {
      List<Lease> leases = claim.answer();
      checks.add(() -> check.get(0).accept(leases));
      noteGrants(entry, claim, first);
    }
    int count = world.live().grantedCount() - first;
    if (number == Entry.NEVER && count > 0) {
      entry.heldBy(batchOfUntold(count));
    }
    promises.passChanges();
    return count > 0;
  }

  private void noteGrants(Entry entry, Asked<List<Lease>> claim, int first) {
    List<ModelLease> leases = new ArrayList<>();
    for (int number = first; number < world.live().grantedCount(); number++) {
      leases.add(world.live().lease(number));
    }
    promises.given(entry, leases, claim.answer(), claim.toString());
    boolean doesWait =
        world.setup.claimsAnswer() == ClaimsAnswer.AFTER_COMMIT
            || world.setup.leasesAtOpen() == LeasesAtOpen.HONOUR;
    if (doesWait && !leases.isEmpty() || leases.stream().anyMatch(promises::isSuspect)) {
      promises.acknowledged(entry, claim.level(), claim.toString());
    }
  }

  private <T> void judge(Asked<T> one) {
    if (one.call() instanceof SeededCall.Wait wait) {
      world.waiting = Optional.of(wait.waiting(world, one.asClaim()));
      world.waiting.ifPresent(waiting -> waiting.serve(this, false));
      return;
    }
    Optional<Throwable> failure = one.failure();
    if (one.question().steps().isPresent()) {
      judgeSteps(one, one.question().steps().get());
    } else if (failure.isPresent() && !(failure.get() instanceof OutcomeUnknownException)) {
      refused(one, failure.get());
      return;
    } else if (one.isClaim()) {
      claimed(one.asClaim());
    } else if (one.kind() == Kind.LEASES_QUEUE) {
      queueLeased(one);
    } else {
      done(one);
    }
    failure.ifPresent(why -> failed(one, why));
    tally.count(failure.isPresent() ? "calls of unknown outcome" : "calls answered");
    world.waiting.ifPresent(waiting -> waiting.serve(this, false));
  }

  private <T> void done(Asked<T> one) {
    List<Consumer<T>> check = new ArrayList<>();
    Entry entry =
        world.log.add(
            batchOf(one), model -> check.add(one.question().effect().on(model, one.told())));
    promises.noteChanges(batch, one.level());
    if (one.failure().isEmpty()) {
      T answer = one.answer();
      checks.add(() -> check.get(0).accept(answer));
      acknowledge(entry, one);
    }
  }

  /**
   * What no batch holds. If its outcome is unknown, what else happened in the batch saw it all the
   * same; what is left of it is known when the engine goes on.
   */
  private <T> void queueLeased(Asked<T> one) {
    List<Consumer<T>> check = new ArrayList<>();
    world.log.add(
        Entry.FOR_EVER, model -> check.add(one.question().effect().on(model, one.told())));
    if (one.failure().isEmpty()) {
      T answer = one.answer();
      checks.add(() -> check.get(0).accept(answer));
    }
    world.areQueueLeasesOpen |= isFatal();
  }

  /** A lease may be lengthened before any batch has it. */
  private long batchOf(Asked<?> one) {
    boolean isStored = store.events().stream().anyMatch(SeededRound::holdsWork);
    return one.kind() == Kind.LENGTHENS && !isStored ? nextBatch() : batch;
  }

  private void acknowledge(Entry entry, Asked<?> one) {
    if (one.kind() != Kind.LENGTHENS && !one.call().isLookOnly(one.answer())) {
      promises.acknowledged(entry, one.level(), one.toString());
    }
  }

  /** A call that takes several batches, of which some may have happened and others not. */
  private void judgeSteps(Asked<?> one, Question.Steps steps) {
    List<Long> batches =
        store.events().stream().filter(SeededRound::holdsWork).map(StoreEvent::number).toList();
    List<Consumer<SeededModel>> effects = steps.apply(world.live());
    boolean isDone = one.failure().isEmpty();
    if (isDone && batches.size() < effects.size()) {
      throw new AssertionError(one + " was answered after " + batches.size() + " batches");
    }
    for (int i = 0; i < Math.min(effects.size(), batches.size()); i++) {
      Entry entry = world.log.add(batches.get(i), effects.get(i));
      promises.noteChanges(batches.get(i), one.level());
      if (isDone) {
        acknowledge(entry, one);
      }
    }
  }

  /**
   * A call that failed: refused as full, or of unknown outcome; if there is no reason, that is
   * told.
   */
  void failed(Asked<?> one, Throwable failure) {
    if (failure instanceof StoreFullException) {
      refused(one, failure);
    } else if (!isFatal()) {
      throw new AssertionError("the outcome is unknown though nothing failed: " + one, failure);
    }
  }

  private void refused(Asked<?> one, Throwable failure) {
    tally.count("calls refused by a full store");
    boolean isFull =
        wasFull || store.events().stream().anyMatch(event -> event.outcome() == Outcome.FULL);
    if (!(failure instanceof StoreFullException) || !isFull) {
      throw new AssertionError("refused without need: " + one, failure);
    }
    boolean isReserveRefused = store.events().stream().anyMatch(SeededRound::isReserveRefused);
    if (one.kind() != Kind.GROWS && !isReserveRefused) {
      throw new AssertionError(
          "what frees was refused though the reserve has room: " + one, failure);
    }
  }
}
