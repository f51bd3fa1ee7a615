package io.millrace.spi.testkit.shared;

import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.time.Duration;

/**
 * A place for one shared store of one kind, with which {@link SharedStoreContractTest} tests it. No
 * store is there at first.
 */
public interface SharedPlace extends AutoCloseable {

  /** Maker of places for one kind of store. */
  @FunctionalInterface
  interface Fixture {
    /** Creates a new place for one test, which closes it. */
    SharedPlace newPlace();
  }

  /** Returns options that name the place. */
  StoreOptions options();

  /** Creates another connection to the place, which can be cut without cutting the others. */
  Link newLink();

  /**
   * Tells whether views of the writer's thread are fenced by a take-over. Where they cost nothing,
   * they see what is there for as long as the store is their owner's.
   */
  default boolean fencesViewsOfTheWriter() {
    return false;
  }

  /** Lets time pass on the clock that ownership is counted by. */
  void letPass(Duration time);

  @Override
  void close();

  /** A connection of one node to the place, which a test can cut. */
  interface Link extends StoreFactory {

    /** Breaks the connection once, when it next comes to this point. It can be made anew. */
    void breakAt(CutPoint point);

    /**
     * Breaks the connection when it next comes to this point, and keeps it from being made anew.
     */
    void cutOffAt(CutPoint point);

    /** Allows the connection to be made again. */
    void heal();
  }
}
