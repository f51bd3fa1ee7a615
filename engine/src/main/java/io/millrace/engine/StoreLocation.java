package io.millrace.engine;

import io.millrace.spi.StoreFactory;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;

/**
 * Where a store is: its kind, a colon, its folder.
 *
 * @param factory opens stores of that kind
 * @param folder where it lives
 */
record StoreLocation(StoreFactory factory, Path folder) {

  static StoreLocation parse(String location) {
    Objects.requireNonNull(location, "location");
    int colon = location.indexOf(':');
    if (colon <= 0 || colon == location.length() - 1) {
      throw new IllegalArgumentException(
          "location has no kind of store or no folder: value=\""
              + location
              + "\", expected for example lmdb:data/jobs");
    }
    String scheme = location.substring(0, colon);
    try {
      return new StoreLocation(factory(scheme), Path.of(location.substring(colon + 1)));
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("location names no folder: value=\"" + location + "\"", e);
    }
  }

  private static StoreFactory factory(String scheme) {
    List<StoreFactory> known =
        ServiceLoader.load(StoreFactory.class).stream().map(ServiceLoader.Provider::get).toList();
    return known.stream()
        .filter(factory -> factory.scheme().equals(scheme))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no such kind of store is on the class path: scheme=\""
                        + scheme
                        + "\", known="
                        + known.stream().map(StoreFactory::scheme).toList()
                        + "; add the dependency millrace-store-"
                        + scheme));
  }
}
