package io.millrace.store.rocksdb;

import io.millrace.memtable.FolderOpening;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The opening of a RocksDB store: the database is open for reading until it is known that nothing
 * is lost.
 */
final class Opening implements FolderOpening {

  private final DatabaseFolder place;
  private final long closeTimeoutNs;
  private final Watermark held;

  /** The database to be looked at; none before there is one, and when the store has one. */
  private @Nullable Database looked;

  private @Nullable RocksStore store;
  private boolean isStore;

  private Opening(DatabaseFolder place, @Nullable Database looked, long closeTimeoutNs) {
    this.place = place;
    this.looked = looked;
    this.closeTimeoutNs = closeTimeoutNs;
    this.held = looked == null ? Watermark.NONE : looked.held();
  }

  /**
   * Locks the folder and looks at the database.
   *
   * @param formatMax the newest format of the folder that the caller knows, and that of a new one
   * @param first what is to be done before the data are looked at
   * @param closeTimeoutNs the longest time that the store's close waits for calls under way
   */
  static Opening begin(
      StoreOptions options, int formatMax, Consumer<StoreFolder> first, long closeTimeoutNs) {
    NativeLibraries.load();
    StoreFolder folder = StoreFolder.open(options, RocksLimits.NAME, formatMax);
    try {
      first.accept(folder);
      if (options.access() == Access.READ_WRITE) {
        RocksBackup.clearStages(folder.path());
      }
      return begin(DatabaseFolder.of(folder, options), closeTimeoutNs);
    } catch (IOException e) {
      folder.close();
      throw failed(folder, e);
    } catch (RuntimeException | Error e) {
      folder.close();
      throw e;
    }
  }

  private static Opening begin(DatabaseFolder place, long closeTimeoutNs) throws IOException {
    Database looked = place.look();
    try {
      return new Opening(place, looked, closeTimeoutNs);
    } catch (RuntimeException | Error e) {
      if (looked != null) {
        looked.close();
      }
      throw e;
    }
  }

  @Override
  public StoreFolder folder() {
    return place.folder();
  }

  @Override
  public StoreInfo info() {
    return RocksLimits.info(folder().storeId(), folder().path());
  }

  @Override
  public Watermark held() {
    return held;
  }

  @Override
  public RocksStore readOnly() {
    Database database = looked;
    if (database == null) {
      throw new StoreException(
          "store has lost its database, and there is nothing to look at; open it for writing:"
              + " folder="
              + folder().path());
    }
    try {
      place.requireNoGap(database);
      RocksStore made = new RocksStore(place, database, held, closeTimeoutNs);
      isStore = true;
      return made;
    } catch (IOException e) {
      throw failed(folder(), e);
    }
  }

  @Override
  public Watermark raiseEpoch(long epochBefore) {
    try {
      place.requireNoGap(looked);
      closeLooked();
      long before = Math.max(epochBefore, Math.max(held.epoch(), folder().watermark().epoch()));
      long epoch = Math.max(before + 1, place.options().epochLeast());
      Watermark raised = new Watermark(epoch, held.commit());
      Database database = place.openToWrite(held, raised);
      try {
        folder().syncNames();
        store = new RocksStore(place, database, raised, closeTimeoutNs);
        return raised;
      } catch (IOException | RuntimeException | Error e) {
        database.close();
        throw e;
      }
    } catch (IOException e) {
      throw failed(folder(), e);
    }
  }

  @Override
  public void write(WriteBatch batch) {
    made().put(batch);
  }

  @Override
  public void sync() {
    made().flush();
  }

  @Override
  public RocksStore store(LongSupplier logged) {
    made().follow(logged);
    isStore = true;
    return made();
  }

  private RocksStore made() {
    return Objects.requireNonNull(store, "store");
  }

  private void closeLooked() {
    if (looked != null) {
      looked.close();
      looked = null;
    }
  }

  /** Frees all of it if it has not become a store; the folder last. */
  @Override
  public void close() {
    if (isStore) {
      return;
    }
    if (store != null) {
      store.close();
      return;
    }
    StoreFolder locked = folder();
    try (locked) {
      closeLooked();
    }
  }

  private static StoreException failed(StoreFolder folder, IOException cause) {
    return new StoreException(
        "store cannot be opened: folder=" + folder.path() + ", reason=" + cause, cause);
  }
}
