package io.millrace.model;

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

  /** What can be asked of a full store, and when an answer holds. */
  record Terms(Growth growth, Durability level) {}

  /** What a call does to the size of the store. */
  enum Growth {
    GROWS,
    FREES,
    /** Frees, and is answered before it is stored: the lease of a lost batch is lost with it. */
    CLAIMS
  }

  /** Says, of a model, in which steps the call is done, each in a batch of its own. */
  interface Steps extends Function<SeededModel, List<Consumer<SeededModel>>> {}

  /** Changes the model and answers what checks the engine's answer. */
  interface Effect<T> {
    Consumer<T> on(SeededModel model, Told told);
  }
}
