package io.millrace.store.lmdb;

import io.millrace.memtable.FolderOpening;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.LmdbException;

/**
 * A store that is being opened: its folder is locked and its database open. If it is closed before
 * it has become a store, it leaves neither behind. For one thread.
 */
final class Opening implements FolderOpening {

  private final StoreFolder folder;
  private final StoreOptions options;
  private final long mapBytes;
  private final Database database;
  private final Watermark held;
  private final long closeTimeoutNs;
  private @Nullable DataFile file;
  private @Nullable LmdbWriter writer;
  private Watermark raised;
  private boolean isStore;

  private Opening(
      StoreFolder folder,
      StoreOptions options,
      long mapBytes,
      Database database,
      long closeTimeoutNs) {
    this.folder = folder;
    this.options = options;
    this.mapBytes = mapBytes;
    this.database = database;
    this.held = database.held();
    this.raised = held;
    this.closeTimeoutNs = closeTimeoutNs;
  }

  /**
   * Locks the folder and opens the database, once that is known to be sound.
   *
   * @param formatMax the newest format of the folder that the caller knows, and that of a new one
   * @param first what is to be done before the data are looked at
   * @param closeTimeoutNs the longest time that the store's close waits for calls under way
   */
  static Opening begin(
      StoreOptions options, int formatMax, Consumer<StoreFolder> first, long closeTimeoutNs) {
    NativeLibraries.load();
    StoreFolder folder = StoreFolder.open(options, LmdbLimits.NAME, formatMax);
    try {
      first.accept(folder);
      return begin(folder, options, closeTimeoutNs);
    } catch (IOException e) {
      folder.close();
      throw failed(folder, e);
    } catch (RuntimeException | Error e) {
      folder.close();
      throw e;
    }
  }

  private static Opening begin(StoreFolder folder, StoreOptions options, long closeTimeoutNs)
      throws IOException {
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
      return new Opening(folder, options, mapBytes, database, closeTimeoutNs);
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

  @Override
  public StoreFolder folder() {
    return folder;
  }

  @Override
  public StoreInfo info() {
    return LmdbLimits.info(folder.storeId(), folder.path());
  }

  @Override
  public Watermark held() {
    return held;
  }

  @Override
  public LmdbStore readOnly() {
    LmdbStore store = new LmdbStore(folder, database, held, null, closeTimeoutNs);
    isStore = true;
    return store;
  }

  @Override
  public Watermark raiseEpoch(long epochBefore) {
    long before = Math.max(epochBefore, folder.watermark().epoch());
    try {
      file = DataFile.open(folder.path(), mapBytes);
      file.reserve(LmdbLimits.bytesToOpen(database.usedBytes()));
      raised =
          database.commitHeld(
              now -> {
                long epoch = Math.max(now.epoch(), before) + 1;
                return new Watermark(Math.max(epoch, options.epochLeast()), now.commit());
              });
      database.sync();
      folder.syncNames();
      writer = new LmdbWriter(database, file, folder, raised, options.storeBytesMax());
      return raised;
    } catch (LmdbException e) {
      throw LmdbErrors.translate("epoch cannot be raised", folder.path(), e);
    } catch (IOException e) {
      throw failed(folder, e);
    }
  }

  private LmdbWriter writer() {
    return Objects.requireNonNull(writer, "writer");
  }

  @Override
  public void write(WriteBatch batch) {
    writer().write(batch);
  }

  @Override
  public void sync() {
    writer().sync();
  }

  @Override
  public LmdbStore store(LongSupplier logged) {
    writer().follow(logged);
    LmdbStore store = new LmdbStore(folder, database, raised, writer(), closeTimeoutNs);
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
