package io.millrace.internal.transition;

import io.millrace.api.Durability;

/**
 * What a caller asks to be done with jobs: judged first, then carried out. A list of operations is
 * one call if each is judged after the plans of those before it were {@link Plan#foretell
 * foretold}, and all plans are carried out in the same order.
 *
 * @param <R> what it answers
 */
public interface Operation<R> extends Transition<R> {

  /**
   * Reads and judges; changes nothing. A refusal is a plan to do nothing.
   *
   * @throws RuntimeException something that it must know cannot be read
   */
  Plan<R> check(OpenBatch batch);

  @Override
  default R apply(OpenBatch batch) {
    Plan<R> plan = check(batch);
    if (!plan.hangsOnBatch()) {
      batch.answerAfter(0, Durability.BUFFERED);
    }
    return plan.carryOut(batch);
  }
}
