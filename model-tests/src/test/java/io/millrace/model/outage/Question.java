package io.millrace.model.outage;

import io.millrace.api.Durability;
import io.millrace.model.seeds.SeededEngine;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One call of an engine and what it means to the model.
 *
 * @param asking makes the call; the future is complete when the loop has worked
 * @param effect what the call does
 * @param steps the parts of the effect, if it may take several batches
 * @param <T> what is answered
 */
record Question<T>(
    Terms terms,
    Function<SeededEngine, CompletableFuture<T>> asking,
    Effect<T> effect,
    Optional<Steps> steps) {

  Question(Terms terms, Function<SeededEngine, CompletableFuture<T>> asking, Effect<T> effect) {
    this(terms, asking, effect, Optional.empty());
  }

  /** The same, but done in steps. */
  Question<T> inSteps(Steps value) {
    return new Question<>(terms, asking, effect, Optional.of(value));
  }

  /** What a call is to a store that is full or loses what is not durable. */
  record Terms(Kind kind, Durability level) {}

  /** Kinds of calls. */
  enum Kind {
    /** Adds to the store. */
    GROWS,
    /** Frees as much as it adds, or leads to that. */
    FREES,
    /**
     * Frees, and may be answered before it is stored: the lease of a lost batch is lost with it.
     */
    CLAIMS,
    /** A claim that waits if there is nothing for it. */
    WAITS,
    /** Frees, and lives in memory: it promises nothing about the store. */
    LENGTHENS,
    /** Changes a lease on a whole queue, of which nothing is ever stored. */
    LEASES_QUEUE
  }

  /** Says, of a model, in which steps the call is done, each in a batch of its own. */
  interface Steps extends Function<SeededModel, List<Consumer<SeededModel>>> {}

  /** Changes the model and answers what checks the engine's answer. */
  interface Effect<T> {
    Consumer<T> on(SeededModel model, AnsweredAt told);
  }
}
