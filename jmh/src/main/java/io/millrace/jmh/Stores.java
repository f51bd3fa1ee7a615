package io.millrace.jmh;

import io.millrace.cli.place.ReadableStore;
import io.millrace.spi.StoreFactory;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The kinds of stores on the class path that have a folder of their own, or none. */
final class Stores {

  private Stores() {}

  /** Returns the factories of all kinds, each under the first part of a store's location. */
  static SortedMap<String, StoreFactory> all() {
    SortedMap<String, StoreFactory> factories = new TreeMap<>();
    ServiceLoader.load(StoreFactory.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(factory -> ReadableStore.isInFolder(factory.scheme() + ":"))
        .forEach(factory -> factories.put(factory.scheme(), factory));
    return factories;
  }

  /** Returns the factory of this kind. A name that is not known is the user's mistake. */
  static StoreFactory named(String store, CommandSpec command) {
    SortedMap<String, StoreFactory> known = all();
    StoreFactory factory = known.get(store);
    if (factory == null) {
      throw new ParameterException(
          command.commandLine(),
          "unknown kind of store: %s; known are %s"
              .formatted(store, String.join(", ", known.keySet())));
    }
    return factory;
  }
}
