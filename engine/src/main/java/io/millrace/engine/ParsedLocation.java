package io.millrace.engine;

import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;

/**
 * The location of a store: its kind, a colon, and what its kind understands, such as a folder.
 *
 * @param factory opens stores of that kind
 * @param place the part behind the colon; may hold a password
 */
record ParsedLocation(StoreFactory factory, String place) {

  static ParsedLocation parse(String location) {
    Objects.requireNonNull(location, "location");
    int colon = location.indexOf(':');
    if (colon <= 0 || colon == location.length() - 1) {
      throw new IllegalArgumentException(
          "location has no kind of store or no folder: value=\""
              + location
              + "\", expected for example lmdb:data/jobs");
    }
    return new ParsedLocation(factory(location.substring(0, colon)), location.substring(colon + 1));
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
                        + scheme
                        + ", and if all jars are packed into one, have META-INF/services merged"));
  }

  /** Returns the location without passwords, which the text of a record would show. */
  @Override
  public String toString() {
    return factory.scheme() + ":" + StoreOptions.of(place).shownLocation();
  }
}
