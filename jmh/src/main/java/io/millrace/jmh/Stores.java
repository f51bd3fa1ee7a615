package io.millrace.jmh;

import io.millrace.spi.StoreFactory;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;

/** The kinds of stores on the class path. */
final class Stores {

  private Stores() {}

  /** By the first part of a store's location. */
  static SortedMap<String, StoreFactory> all() {
    SortedMap<String, StoreFactory> factories = new TreeMap<>();
    ServiceLoader.load(StoreFactory.class)
        .forEach(factory -> factories.put(factory.scheme(), factory));
    return factories;
  }
}
