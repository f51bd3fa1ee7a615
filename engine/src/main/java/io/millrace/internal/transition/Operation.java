package io.millrace.internal.transition;

import io.millrace.api.Durability;

/**
 * A change of jobs or rows that a caller asks for: judged first, then carried out. A list of
 * operations is one call if each is judged after the plans of those before it were {@link
 * Plan#foretell foretold}, and all plans are carried out in the same order.
 *
 * @param <R> the type of the answer
 */
public interface Operation<R> extends Transition<R> {

  /**
   * Reads and judges; changes nothing. A refusal is a plan to do nothing.
   *
   * @throws RuntimeException a row that the operation must know cannot be read
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
