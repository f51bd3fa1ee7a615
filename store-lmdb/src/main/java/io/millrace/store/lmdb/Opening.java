package io.millrace.store.lmdb;

import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.LmdbException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that is being opened: its folder is locked and its database open. If it is closed before
 * it has become a store, it leaves neither behind. For one thread.
 */
final class Opening implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Opening.class);

  private final StoreFolder folder;
  private final StoreOptions options;
  private final long mapBytes;
  private final Database database;
  private final Watermark held;
  private @Nullable DataFile file;
  private @Nullable LmdbWriter writer;
  private boolean isStore;

  private Opening(StoreFolder folder, StoreOptions options, long mapBytes, Database database) {
    this.folder = folder;
    this.options = options;
    this.mapBytes = mapBytes;
    this.database = database;
    this.held = database.held();
  }

  /**
   * Locks the folder and opens the database, once that is known to be sound.
   *
   * @param formatMax the newest format of the folder that the caller knows, and that of a new one
   * @param first runs on the locked folder before the data are looked at
   */
  static Opening begin(StoreOptions options, int formatMax, Consumer<StoreFolder> first) {
    NativeLibraries.load();
    StoreFolder folder = StoreFolder.open(options, LmdbLimits.NAME, formatMax);
    try {
      if (folder.isOpenToOthers()) {
        LOG.warn(
            "store folder is another user's and is left as it is: others may look into it:"
                + " folder={}",
            folder.path());
      }
      first.accept(folder);
      return begin(folder, options);
    } catch (IOException e) {
      folder.close();
      throw failed(folder, e);
    } catch (RuntimeException | Error e) {
      folder.close();
      throw e;
    }
  }

  private static Opening begin(StoreFolder folder, StoreOptions options) throws IOException {
    if (options.access() == Access.READ_ONLY && folder.watermark().equals(Watermark.NONE)) {
      throw new StoreException("store was never opened for writing: folder=" + folder.path());
    }
    long usedBytes = checkData(folder, options.access());
    if (usedBytes == 0) {
      folder.checkNothingLost(Watermark.NONE, options.lostCommits());
    }
    long mapBytes = LmdbLimits.mapBytes(options.storeBytesMax(), usedBytes);
    Database database = Database.open(folder.path(), mapBytes, options.access());
    try {
      return new Opening(folder, options, mapBytes, database);
    } catch (RuntimeException | Error e) {
      database.close();
      throw e;
    }
  }

  /**
   * Checks the data file. Returns how many bytes of it are in use. A file that was never finished,
   * and so never promised, is begun again.
   */
  private static long checkData(StoreFolder folder, Access access) throws IOException {
    try {
      long usedBytes = DataFile.check(folder.path());
      if (usedBytes > 0) {
        DataFile.checkPages(folder.path());
      }
      return usedBytes;
    } catch (StoreCorruptException e) {
      if (access == Access.READ_ONLY || !folder.watermark().equals(Watermark.NONE)) {
        throw e;
      }
      Files.delete(folder.path().resolve(DataFile.FILE_NAME));
      return 0;
    }
  }

  StoreFolder folder() {
    return folder;
  }

  /** Returns the newest commit that the database held when it was opened. */
  Watermark held() {
    return held;
  }

  /**
   * Checks that the store holds everything that was once durable.
   *
   * @param all the newest commit in the whole store
   * @throws StoreCorruptException it is older, and that is not accepted
   */
  void requireNothingLost(Watermark all) {
    folder.checkNothingLost(all, options.lostCommits());
  }

  /** Returns the store, open for reading only, which now owns folder and database. */
  LmdbStore readOnly(long closeTimeoutNs) {
    LmdbStore store = new LmdbStore(folder, database, held, null, closeTimeoutNs);
    isStore = true;
    return store;
  }

  /**
   * Raises the epoch in the database, durably, above all earlier ones. The folder's watermark is
   * still to be advanced.
   *
   * @param epochBefore an epoch that was given, as the log has it
   * @return the new epoch, with the newest commit in the database
   */
  Watermark raiseEpoch(long epochBefore) {
    long before = Math.max(epochBefore, folder.watermark().epoch());
    try {
      file = DataFile.open(folder.path(), mapBytes);
      file.reserve(LmdbLimits.bytesToOpen(database.usedBytes()));
      Watermark raised =
          database.commitHeld(
              now -> {
                long epoch = Math.max(now.epoch(), before) + 1;
                return new Watermark(Math.max(epoch, options.epochLeast()), now.commit());
              });
      database.sync();
      folder.syncNames();
      return raised;
    } catch (LmdbException e) {
      throw LmdbErrors.translate("epoch cannot be raised", folder.path(), e);
    } catch (IOException e) {
      throw failed(folder, e);
    }
  }

  /** Returns the writer to the database, whose epoch was raised. */
  LmdbWriter writer(Watermark raised) {
    DataFile data = Objects.requireNonNull(file, "file");
    LmdbWriter made = new LmdbWriter(database, data, folder, raised, options.storeBytesMax());
    writer = made;
    return made;
  }

  /** Returns the store with its writer, which now owns folder and database. */
  LmdbStore store(Watermark raised, long closeTimeoutNs) {
    LmdbStore store =
        new LmdbStore(
            folder, database, raised, Objects.requireNonNull(writer, "writer"), closeTimeoutNs);
    isStore = true;
    return store;
  }

  /** Frees everything if it has not become a store, from the inside out, as the store would. */
  @Override
  public void close() {
    if (isStore) {
      return;
    }
    // The writer closes the file as well, without harm.
    DataFile data = file;
    LmdbWriter begun = writer;
    try (folder;
        data;
        begun) {
      database.close();
    } catch (IOException e) {
      throw failed(folder, e);
    }
  }

  private static StoreException failed(StoreFolder folder, IOException cause) {
    return new StoreException(
        "store cannot be opened: folder=" + folder.path() + ", reason=" + cause, cause);
  }
}
