package io.millrace.spi.testkit.rig;

import java.util.ServiceLoader;

/**
 * A way to the queues of an engine that a run of tests takes in place of the direct one, such as
 * through a server. Which one there is says a service of this type, so that tests need not know it.
 */
public interface Reach {

  /** The system property that has the tests of a run take such a way, if it is {@code true}. */
  String PROPERTY = "millrace.reach";

  /**
   * Returns the same queues, reached by this way.
   *
   * @param queues closed with the result
   * @param as the interface that the test knows them by
   */
  <Q extends AutoCloseable> Q reach(Q queues, Class<Q> as);

  /** Tells whether the tests of this run take such a way. */
  static boolean isTaken() {
    return Boolean.getBoolean(PROPERTY);
  }

  /** Returns the queues themselves, or the same by the way of this run; see {@link #reach}. */
  static <Q extends AutoCloseable> Q to(Q queues, Class<Q> as) {
    return isTaken()
        ? ServiceLoader.load(Reach.class).findFirst().orElseThrow().reach(queues, as)
        : queues;
  }
}
