package io.millrace.model.linear;

import java.util.EnumSet;
import java.util.Random;
import java.util.Set;

/**
 * What a recorded history is made of.
 *
 * @param seed what each thread's choices begin with
 * @param features what happens beside the ordinary
 */
record Plan(long seed, int threadCount, int callCount, Set<Feature> features) {

  /** What a history may have. */
  enum Feature {
    /** Time passes: leases run out, delays end, in an order that nobody sees. */
    CLOCK_STEPS,
    /** Claims from both queues at once. */
    CLAIMS_ACROSS,
    /** Claims that wait for jobs. */
    WAITING_CLAIMS,
    /** Callers that are interrupted, so that nobody knows what became of their call. */
    INTERRUPTS
  }

  /**
   * So many threads where each call may have ended in several ways: the search tries all of them.
   */
  private static final int SMALL = 3;

  /** A plan by chance; its calls fit into the checker's set. */
  static Plan of(long seed) {
    Random random = new Random(seed);
    int threadCount = random.nextInt(8) == 0 ? 6 + random.nextInt(3) : 2 + random.nextInt(4);
    int callCount = 4 + random.nextInt(threadCount > 5 ? 2 : 5);
    Set<Feature> features = EnumSet.noneOf(Feature.class);
    for (Feature feature : Feature.values()) {
      boolean isManyWays = feature == Feature.CLOCK_STEPS || feature == Feature.INTERRUPTS;
      if (random.nextInt(4) == 0 && !(isManyWays && threadCount > SMALL)) {
        features.add(feature);
      }
    }
    return new Plan(seed, threadCount, callCount, features);
  }

  boolean has(Feature feature) {
    return features.contains(feature);
  }
}
