package io.millrace.spi.testkit;

import java.util.SplittableRandom;

/**
 * A plan of which call of a {@link FaultyStore} goes wrong, and how.
 *
 * <p>Must answer from its arguments alone, so that a run can be replayed. Asked on the thread that
 * calls the store.
 */
@FunctionalInterface
public interface FaultPlan {

  /**
   * Returns the fault of one call.
   *
   * @param index how many calls of this kind came before it, over all openings of the store
   */
  Fault faultAt(StoreCall call, long index);

  /** Returns the plan by which nothing goes wrong. */
  static FaultPlan none() {
    return (call, index) -> Fault.NONE;
  }

  /** Returns a plan by which one call goes wrong. */
  static FaultPlan at(StoreCall call, long index, Fault fault) {
    return (givenCall, givenIndex) -> givenCall == call && givenIndex == index ? fault : Fault.NONE;
  }

  /**
   * Returns a plan by which calls go wrong at random. A call's fault depends on the seed, its kind
   * and its index, and on no other call: writing and syncing on two threads at once does not change
   * it.
   */
  static FaultPlan random(long seed, FaultRates rates) {
    return (call, index) -> {
      long streamSeed = new SplittableRandom(seed + call.ordinal()).nextLong();
      return rates.pick(new SplittableRandom(streamSeed ^ index).nextDouble());
    };
  }

  /** Returns a plan with the faults of this one, and where it has none, those of the other. */
  default FaultPlan or(FaultPlan other) {
    return (call, index) -> {
      Fault fault = faultAt(call, index);
      return fault == Fault.NONE ? other.faultAt(call, index) : fault;
    };
  }
}
