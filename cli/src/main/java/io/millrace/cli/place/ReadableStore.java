package io.millrace.cli.place;

import io.millrace.cli.command.CannotException;
import io.millrace.engine.StorePlace;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.LostCommits;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A store that is only to be read, though its folder may be one that cannot be written. */
public final class ReadableStore implements AutoCloseable {

  private static final String IN_DATABASE = "postgresql:";

  private final StorePlace place;
  private final Optional<ReadOnlyFolder> readOnly;

  private ReadableStore(StorePlace place, Optional<ReadOnlyFolder> readOnly) {
    this.place = place;
    this.readOnly = readOnly;
  }

  /**
   * Finds the store.
   *
   * @param location such as {@code lmdb:data/jobs}
   * @param note is given a line if the store's folder cannot be written
   * @throws StoreException it cannot be read
   */
  public static ReadableStore of(String location, LostCommits lostCommits, Consumer<String> note) {
    StorePlace named = place(location, lostCommits);
    if (!isInFolder(location)) {
      return new ReadableStore(named, Optional.empty());
    }
    Path folder = named.options().folder();
    if (!ReadOnlyFolder.isNeeded(folder)) {
      return new ReadableStore(named, Optional.empty());
    }
    ReadOnlyFolder readOnly = ReadOnlyFolder.of(folder);
    note.accept(readOnly.note());
    StoreOptions options = StoreOptions.of(readOnly.links()).lostCommits(lostCommits);
    return new ReadableStore(new StorePlace(named.factory(), options), Optional.of(readOnly));
  }

  /** Tells whether a store of this location is in a folder, and not in a database. */
  public static boolean isInFolder(String location) {
    return !location.startsWith(IN_DATABASE);
  }

  /**
   * Asks something that opens the store.
   *
   * @throws CannotException the store is in a database, which its location does not name rightly
   */
  static <T> T named(StorePlace place, Supplier<T> question) {
    try {
      return question.get();
    } catch (IllegalArgumentException e) {
      if (isInFolder(place.factory().scheme() + ":")) {
        throw e;
      }
      throw new CannotException("STORE names no database: " + e.getMessage(), e);
    }
  }

  /** Returns a location as it may be shown: without passwords. */
  public static String withoutPassword(String location) {
    StorePlace place = StorePlace.of(location);
    return place.factory().scheme() + ":" + place.options().shownLocation();
  }

  /** Returns the place of a store, with what is to be done if the store has lost commits. */
  public static StorePlace place(String location, LostCommits lostCommits) {
    StorePlace place = StorePlace.of(location);
    return new StorePlace(place.factory(), place.options().lostCommits(lostCommits));
  }

  /** Returns the place at which the store can be opened for reading. */
  public StorePlace place() {
    return place;
  }

  /** Returns a text about the store with the folder that the user knows. */
  public String shown(String text) {
    return readOnly.map(folder -> folder.shown(text)).orElse(text);
  }

  /** Asks the store; exceptions name the folder that the user knows. */
  public <T> T ask(Supplier<T> question) {
    try {
      return named(place, question);
    } catch (StoreLockedException | StoreFullException e) {
      throw e;
    } catch (StoreException e) {
      throw readOnly.isEmpty() ? e : new StoreException(shown(String.valueOf(e.getMessage())), e);
    }
  }

  @Override
  public void close() {
    readOnly.ifPresent(ReadOnlyFolder::close);
  }
}
