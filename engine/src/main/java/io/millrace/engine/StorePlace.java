package io.millrace.engine;

import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.util.Objects;

/**
 * The place of a store that may or may not be there, and its kind.
 *
 * @param factory opens stores of its kind
 * @param options where it is, and its limits; the access is for the one who opens it
 */
public record StorePlace(StoreFactory factory, StoreOptions options) {

  public StorePlace {
    Objects.requireNonNull(factory, "factory");
    Objects.requireNonNull(options, "options");
  }

  /**
   * Returns the place of a location such as {@code lmdb:data/jobs}.
   *
   * @throws IllegalArgumentException the location has no such form, or no store of its kind is on
   *     the class path
   */
  public static StorePlace of(String location) {
    ParsedLocation parsed = ParsedLocation.parse(location);
    return new StorePlace(parsed.factory(), StoreOptions.of(parsed.place()));
  }
}
