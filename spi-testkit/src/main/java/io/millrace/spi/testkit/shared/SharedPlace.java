package io.millrace.spi.testkit.shared;

import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.time.Duration;

/** Tells {@link SharedStoreContractTest} about one kind of shared store: a place with no store. */
public interface SharedPlace extends AutoCloseable {

  /** Makes the places of one kind of store. */
  @FunctionalInterface
  interface Fixture {
    /** A new place, for one test, which closes it. */
    SharedPlace newPlace();
  }

  /** Where the store is to be. */
  StoreOptions options();

  /** Another way to it, which can be cut without cutting the others. */
  Link newLink();

  /** Lets the time pass that ownership is counted in. */
  void letPass(Duration time);

  @Override
  void close();

  /** One node's way to the place, and how it is cut. */
  interface Link extends StoreFactory {

    /** The connection breaks once, when it next comes to this point, and can be made anew. */
    void breakAt(CutPoint point);

    /** The connection breaks when it next comes to this point, and stays away. */
    void cutOffAt(CutPoint point);

    /** The connection can be made again. */
    void heal();
  }
}
