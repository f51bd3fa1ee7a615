package io.millrace.model.outage;

import io.millrace.api.Durability;
import io.millrace.api.Lease;
import io.millrace.model.outage.Question.Kind;
import io.millrace.model.seeds.Answers;
import io.millrace.model.seeds.StoreEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A call on its way.
 *
 * @param <T> what is answered
 */
final class Asked<T> {

  private final SeededCall call;
  private final Question<T> question;
  private Optional<CompletableFuture<T>> future = Optional.empty();
  private AnsweredAt told = AnsweredAt.NEVER;
  private int eventsBefore;

  Asked(SeededCall call, Question<T> question) {
    this.call = call;
    this.question = question;
  }

  /** Makes the call. */
  void ask(SeededWorld world) {
    CompletableFuture<T> answer = question.asking().apply(world.seeded);
    future = Optional.of(answer);
    if (isClaim()) {
      // On the loop's thread, in the middle of its work.
      answer.thenRun(
          () -> {
            told = new AnsweredAt(world.seeded.clock().passedMs());
            eventsBefore = world.seeded.store().events().size();
          });
    }
  }

  SeededCall call() {
    return call;
  }

  Question<T> question() {
    return question;
  }

  Kind kind() {
    return question.terms().kind();
  }

  Durability level() {
    return question.terms().level();
  }

  boolean isClaim() {
    return kind() == Kind.CLAIMS || kind() == Kind.WAITS;
  }

  /** As what it is if it is a claim: every claim is answered with leases. */
  @SuppressWarnings("unchecked")
  Asked<List<Lease>> asClaim() {
    return (Asked<List<Lease>>) this;
  }

  boolean isDone() {
    return future.orElseThrow().isDone();
  }

  /** The answer; throws what the call failed of. */
  T answer() {
    return Answers.of(future.orElseThrow());
  }

  Optional<Throwable> failure() {
    return Answers.failure(future.orElseThrow());
  }

  /** The leases that a claim was answered with. */
  List<Lease> leases() {
    return isClaim() && isDone() && failure().isEmpty() ? asClaim().answer() : List.of();
  }

  /** Whether and when a claim was answered with success. */
  AnsweredAt told() {
    return told;
  }

  /**
   * The write of the group in which a claim was answered early, if that was refused as full. All
   * calls share the first batch of the round, which may be tried a second time.
   */
  Optional<StoreEvent> refusedAfter(List<StoreEvent> events) {
    List<StoreEvent> tries = new ArrayList<>(events);
    tries.removeIf(event -> event.kind() != StoreEvent.Kind.WRITE || event.rowCount() <= 1);
    if (!told.isAnswered() || tries.isEmpty()) {
      return Optional.empty();
    }
    long number = tries.get(0).number();
    return events.subList(eventsBefore, events.size()).stream()
        .filter(event -> event.number() == number && tries.contains(event))
        .findFirst()
        .filter(event -> event.outcome() == StoreEvent.Outcome.FULL);
  }

  /** How many writes and syncs of its round came before the answer to a claim. */
  int eventsBefore() {
    return eventsBefore;
  }

  /** What was asked and answered, in words. */
  String text() {
    return this + ": " + failure().map(Throwable::toString).orElseGet(() -> answer().toString());
  }

  @Override
  public String toString() {
    return call.toString();
  }
}
