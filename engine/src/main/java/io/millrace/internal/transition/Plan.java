package io.millrace.internal.transition;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An operation that is judged and not done yet. All that can fail is behind it, so that either all
 * plans of a call are carried out or none; a row that turns out to be unreadable nevertheless has
 * the whole batch taken back ({@link HalfDoneException}).
 *
 * @param <R> the type of the operation's answer
 */
@FunctionalInterface
public interface Plan<R> {

  /**
   * Carries out the operation.
   *
   * @throws HalfDoneException a row cannot be read; the batch is taken back
   */
  R carryOut(OpenBatch batch);

  /**
   * Tells {@link Planned} what this operation will leave, for the operations of the call that are
   * judged after it.
   */
  default void foretell(OpenBatch batch) {}

  /** Tells whether the answer is true only if the batch is stored. */
  default boolean hangsOnBatch() {
    return true;
  }

  /** Returns a plan that does nothing and gives this answer. */
  static <R> Plan<R> answer(R answer) {
    return batch -> answer;
  }

  /**
   * Judges operations in their order, each against what is there and what the plans of those before
   * it will leave, so that they answer as if each had been a call of its own.
   */
  static <T extends @Nullable Object, R> Plan<List<R>> inOrder(
      OpenBatch batch, List<T> items, Function<T, Plan<R>> judge) {
    if (items.size() == 1) {
      return new Only<>(judge.apply(items.get(0)));
    }
    List<Plan<R>> plans = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      if (i > 0) {
        plans.get(i - 1).foretell(batch);
      }
      plans.add(judge.apply(items.get(i)));
    }
    return new InOrder<>(plans);
  }

  /** The one plan of a call that could have had many. */
  record Only<R>(Plan<R> plan) implements Plan<List<R>> {

    @Override
    public List<R> carryOut(OpenBatch batch) {
      return List.of(plan.carryOut(batch));
    }

    @Override
    public void foretell(OpenBatch batch) {
      plan.foretell(batch);
    }

    @Override
    public boolean hangsOnBatch() {
      return plan.hangsOnBatch();
    }
  }

  /**
   * The plans of one call. All but the last one have been foretold.
   *
   * @param plans in the order in which they were made and are carried out
   */
  record InOrder<R>(List<Plan<R>> plans) implements Plan<List<R>> {

    @Override
    public List<R> carryOut(OpenBatch batch) {
      List<R> answers = new ArrayList<>(plans.size());
      for (Plan<R> plan : plans) {
        answers.add(plan.carryOut(batch));
      }
      return answers;
    }

    @Override
    public void foretell(OpenBatch batch) {
      if (!plans.isEmpty()) {
        plans.get(plans.size() - 1).foretell(batch);
      }
    }

    /**
     * Tells whether one of the answers hangs on the batch: then all do, for they are given as one.
     */
    @Override
    public boolean hangsOnBatch() {
      return plans.isEmpty() || plans.stream().anyMatch(Plan::hangsOnBatch);
    }
  }
}
