package io.millrace.spi.folder;

import io.millrace.spi.FormatVersionException;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreOptions.LostCommits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The open folder of an embedded store: locked, known to be ours, and with a memory of what was
 * once durable.
 *
 * <p>It holds the files LOCK, OWNER, MILLRACE (the header) and WATERMARK beside the store's own.
 * The folder is readable by its owner alone, and so is every file made here.
 *
 * <p>Order of creation: LOCK, OWNER, WATERMARK, header. A folder without a header was never a
 * store, so a crash while the folder is made leaves something that the next opening finishes. A
 * folder with a header but no watermark has lost the watermark. The store's data come last: until
 * the first {@link #advance}, no data in it were ever promised to anybody.
 *
 * <p><b>Threads.</b> Between open and close it belongs to the thread that writes the store's own
 * files. {@link #keepOwned} and {@link #checkOwned} may be called from any thread.
 */
public final class StoreFolder implements AutoCloseable {

  private static final String FILE_SYSTEM_NAME = "lost+found";

  /**
   * Names that a folder may hold which was never a store: our own half-made files, and what a file
   * system puts at its root.
   */
  private static final Set<String> NEVER_FOREIGN =
      Set.of(
          FolderLock.FILE_NAME,
          OwnerFile.FILE_NAME,
          WatermarkFile.FILE_NAME,
          FolderHeader.TEMPORARY_FILE_NAME,
          FILE_SYSTEM_NAME);

  /** The longest time between two looks whether the folder is still ours. */
  private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(400);

  /**
   * The mark of a folder that is to become a copy, from before its first file to after its last.
   */
  private static final String UNFINISHED_FILE_NAME = "UNFINISHED-COPY";

  private final Path path;
  private final Access access;
  private final FolderLock lock;
  private final WatermarkFile watermark;
  private FolderHeader header;
  private @Nullable FileGuard guard;

  /** The monitor that guards the lock and the time of the last look at it. */
  private final Object looking = new Object();

  private volatile long lookedNs = System.nanoTime();

  /** True once the folder was found not to be ours; it never is again. */
  private volatile boolean isLost;

  private boolean closed;

  private StoreFolder(
      Path path, Access access, FolderHeader header, FolderLock lock, WatermarkFile watermark) {
    this.path = path;
    this.access = access;
    this.header = header;
    this.lock = lock;
    this.watermark = watermark;
  }

  /**
   * Opens a store's folder, creating it for {@link Access#READ_WRITE} when it is absent or empty. A
   * failed open leaves no lock behind.
   *
   * @param store the kind of store, written into the header and expected there
   * @param formatMax the newest format of this kind that the caller reads, and the one that it
   *     writes
   * @throws StoreLockedException the folder is open, here or in another process; the message names
   *     its pid
   * @throws FormatVersionException the folder is not ours, of another kind of store or newer;
   *     nothing was touched
   * @throws StoreCorruptException the header is damaged, or the watermark is and lost commits are
   *     not accepted
   * @throws StoreException the folder is not a folder, is missing for {@link Access#READ_ONLY}, or
   *     cannot be written
   */
  public static StoreFolder open(StoreOptions options, String store, int formatMax) {
    Path folder = options.folder().toAbsolutePath().normalize();
    try {
      prepare(folder, options.access());
      FolderLock lock = FolderLock.take(folder);
      try {
        return openLocked(folder, options, store, formatMax, lock);
      } catch (IOException | RuntimeException | Error e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }

  /**
   * Makes sure that no process that can be seen from here has a folder open, for callers who read
   * it without a right to open it.
   *
   * @throws StoreLockedException a process has it open; the message names the process
   * @throws StoreException the folder cannot be read or written
   */
  public static void requireNoLivingOwner(Path folder) {
    try {
      FolderLock.requireNoLivingOwner(folder);
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }

  /**
   * Turns a folder of data files, just copied, into a store of its own: a new id, and a watermark
   * that claims what the copy holds. Everything in the folder is durable on return; before, it is
   * no store and no open takes it for one.
   *
   * @return the new store's id
   * @throws StoreException the folder cannot be read or written; it is no store
   */
  public static String seal(Path folder, String store, int format, Watermark held) {
    try {
      for (Path path : FolderFiles.contents(folder)) {
        FolderFiles.restrict(path);
        if (Files.isDirectory(path)) {
          FolderFiles.syncFolder(path);
        } else {
          FolderFiles.syncFile(path);
        }
      }
      WatermarkFile.create(folder, held);
      FolderFiles.syncFolder(folder);
      Files.deleteIfExists(folder.resolve(UNFINISHED_FILE_NAME));
      FolderHeader header = FolderHeader.create(store, format);
      header.write(folder);
      return header.id();
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }

  /**
   * Prepares the place for a copy: a folder, durable in its parent, that holds nothing but the mark
   * of an unfinished copy, which {@link #seal} takes away.
   *
   * @return the folder's absolute path
   * @throws StoreException the folder is not a folder, is not empty, or cannot be created
   */
  public static Path createEmpty(Path folder) {
    Path absolute = folder.toAbsolutePath().normalize();
    try {
      if (Files.exists(absolute) && !Files.isDirectory(absolute)) {
        throw new StoreException("folder for a copy is not a folder: folder=" + absolute);
      }
      FolderFiles.createFolder(absolute);
      refuseUnfinished(absolute);
      List<String> names = FolderFiles.names(absolute);
      names.remove(FILE_SYSTEM_NAME);
      if (!names.isEmpty()) {
        throw new StoreException("folder for a copy is not empty: folder=" + absolute);
      }
      FolderFiles.restrict(absolute);
      FolderFiles.createFile(absolute.resolve(UNFINISHED_FILE_NAME));
      FolderFiles.syncFolder(absolute);
      return absolute;
    } catch (IOException e) {
      throw unusable(absolute, e);
    }
  }

  /**
   * Removes everything that a failed copy left in its folder. What cannot be removed stays, and is
   * no store to anybody.
   */
  public static void clear(Path folder) {
    try {
      Files.deleteIfExists(folder.resolve(FolderHeader.FILE_NAME));
      // The mark goes last: what is left of a copy that cannot be removed is no store to anybody.
      for (Path path : FolderFiles.contents(folder)) {
        Path top = folder.relativize(path).getName(0);
        if (!top.endsWith(UNFINISHED_FILE_NAME) && !top.endsWith(FILE_SYSTEM_NAME)) {
          Files.deleteIfExists(path);
        }
      }
      Files.deleteIfExists(folder.resolve(UNFINISHED_FILE_NAME));
    } catch (IOException e) {
      // The failure of the copy itself is on its way to the caller.
      return;
    }
  }

  public Path path() {
    return path;
  }

  /**
   * Returns a folder inside the store's, for files of its own, created for {@link
   * Access#READ_WRITE} if it is absent. Its name is durable after {@link #syncNames}.
   *
   * @throws StoreException the folder cannot be created
   */
  public Path subfolder(String name) {
    Path subfolder = path.resolve(name);
    try {
      if (access == Access.READ_WRITE) {
        FolderFiles.createFolder(subfolder);
        FolderFiles.restrict(subfolder);
      }
      return subfolder;
    } catch (IOException e) {
      throw unusable(subfolder, e);
    }
  }

  /**
   * Locks a file of the store's own until the folder is closed: a second opener that gets in
   * although the folder's LOCK file was removed is refused there. The file is for this alone, and
   * nothing else in this process may open it, for closing it would drop the lock. {@link
   * Access#READ_WRITE} creates it; {@link Access#READ_ONLY} shares it with other readers, and does
   * without if it is absent.
   *
   * @throws StoreLockedException another opening has the file locked
   * @throws StoreException the file cannot be created or locked
   */
  public void guard(Path file) {
    try {
      if (access == Access.READ_WRITE) {
        FolderFiles.createFile(file);
      }
      if (Files.exists(file)) {
        guard = FileGuard.take(file, access);
      }
    } catch (IOException e) {
      throw unusable(file, e);
    }
  }

  /** Tells whether a file of the store's own is locked. */
  public boolean isGuarded() {
    return guard != null;
  }

  /**
   * Makes durable which format the store has from now on, so that only versions that know that
   * format open it. Does nothing if the store has that format already. For {@link
   * Access#READ_WRITE}.
   *
   * @throws StoreException the folder cannot be read or written
   */
  public void setFormat(int format) {
    if (header.format() == format) {
      return;
    }
    FolderHeader changed = header.withFormat(format);
    try {
      changed.write(path);
    } catch (IOException e) {
      throw unusable(path, e);
    }
    header = changed;
  }

  /**
   * Tells whether users other than its owner may look into the folder. It then belongs to somebody
   * else, as the root of a volume does, and was left as it was.
   *
   * @throws StoreException the folder cannot be read or written
   */
  public boolean isOpenToOthers() {
    try {
      return FolderFiles.isOpenToOthers(path);
    } catch (IOException e) {
      throw unusable(path, e);
    }
  }

  /** Returns the identity of this very store. */
  public String storeId() {
    return header.id();
  }

  /**
   * Returns how far the store was known to be durable; {@link Watermark#NONE} until it was first
   * opened to the end.
   */
  public Watermark watermark() {
    return watermark.newest();
  }

  /**
   * Checks that the store holds everything that was once durable.
   *
   * @throws StoreCorruptException the store holds less, and that is not accepted
   */
  public void checkNothingLost(Watermark held, LostCommits lostCommits) {
    if (lostCommits == LostCommits.REFUSE && held.compareTo(watermark()) < 0) {
      throw new StoreCorruptException(
          "store holds less than was once durable; restore a backup, or open it with"
              + " LostCommits.ACCEPT to go on without the lost commits: folder="
              + path
              + ", held epoch="
              + held.epoch()
              + ", held commit="
              + held.commit()
              + ", durable epoch="
              + watermark().epoch()
              + ", durable commit="
              + watermark().commit());
    }
  }

  /**
   * Makes durable how far the store is durable. Writes nothing if the watermark says so already, or
   * for {@link Access#READ_ONLY}.
   *
   * @throws StoreException the watermark cannot be written
   */
  public void advance(Watermark durable) {
    if (access == Access.READ_ONLY || durable.equals(watermark())) {
      return;
    }
    try {
      watermark.write(durable);
    } catch (IOException e) {
      throw new StoreException("watermark cannot be written: folder=" + path, e);
    }
  }

  /**
   * Looks whether the folder is still this owner's alone, as {@link #checkOwned} does, unless the
   * last look was less than 0.4 s ago and found it so. To be called before each write, so that no
   * write follows an absence of this process without a look, and twice a second in any case.
   *
   * @throws StoreFencedException as {@link #checkOwned}
   * @throws StoreException as {@link #checkOwned}
   */
  public void keepOwned() {
    if (isLost || System.nanoTime() - lookedNs >= LOOK_INTERVAL_NS) {
      checkOwned();
    }
  }

  /**
   * Looks whether the folder is still this owner's alone, and answers an opener that asks.
   *
   * @throws StoreFencedException the lock file was removed or replaced, or the folder was moved, so
   *     that somebody else may have opened it; or somebody else has
   * @throws StoreException the lock file cannot be looked at
   */
  public void checkOwned() {
    try {
      synchronized (looking) {
        lookedNs = System.nanoTime();
        isLost |= !lock.isOwned();
        if (isLost) {
          throw new StoreFencedException(
              "store's lock file is not there any more, or names another owner, and somebody else"
                  + " may have the store open: folder="
                  + path);
        }
      }
    } catch (IOException e) {
      throw unusable(path, e);
    }
  }

  /**
   * Makes durable that the files in the folder exist. To be called when the store has created its
   * own.
   *
   * @throws StoreException the folder cannot be read or written
   */
  public void syncNames() {
    try {
      FolderFiles.syncFolder(path);
    } catch (IOException e) {
      throw unusable(path, e);
    }
  }

  /** Releases the lock. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    FileGuard held = guard;
    try (lock;
        held) {
      watermark.close();
    } catch (IOException e) {
      throw unusable(path, e);
    }
  }

  private static void prepare(Path folder, Access access) throws IOException {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new StoreException("store folder is not a folder: folder=" + folder);
    }
    if (access == Access.READ_ONLY && !Files.isDirectory(folder)) {
      throw new StoreException("store folder does not exist: folder=" + folder);
    }
    FolderFiles.createFolder(folder);
    refuseUnfinished(folder);
    if (!hasHeader(folder)) {
      refuseForeign(folder);
      if (access == Access.READ_ONLY) {
        throw new StoreException("there is no store in the folder: folder=" + folder);
      }
    }
    if (!Files.isWritable(folder)) {
      throw new StoreException("store folder is not writable: folder=" + folder);
    }
  }

  private static StoreFolder openLocked(
      Path folder, StoreOptions options, String store, int formatMax, FolderLock lock)
      throws IOException {
    if (!hasHeader(folder)) {
      refuseForeign(folder);
      create(folder, options, store, formatMax);
    }
    FolderHeader header = FolderHeader.read(folder, store, formatMax);
    WatermarkFile watermark = WatermarkFile.open(folder, options.access());
    if (watermark == null) {
      watermark = replaceWatermark(folder, options);
    }
    return new StoreFolder(folder, options.access(), header, lock, watermark);
  }

  private static void create(Path folder, StoreOptions options, String store, int format)
      throws IOException {
    FolderFiles.restrict(folder);
    if (!hasPromised(folder)) {
      WatermarkFile.create(folder, Watermark.NONE);
    } else if (options.lostCommits() == LostCommits.REFUSE) {
      throw new StoreCorruptException(
          "store is gone but for its watermark; restore a backup, or open it with"
              + " LostCommits.ACCEPT to begin again: folder="
              + folder);
    }
    FolderFiles.syncFolder(folder);
    FolderHeader.create(store, format).write(folder);
  }

  /** Tells whether the folder has the watermark of a store that was opened to the end. */
  private static boolean hasPromised(Path folder) throws IOException {
    try (WatermarkFile left = WatermarkFile.open(folder, Access.READ_ONLY)) {
      return left != null && !left.newest().equals(Watermark.NONE);
    }
  }

  private static WatermarkFile replaceWatermark(Path folder, StoreOptions options)
      throws IOException {
    StoreCorruptException lost =
        new StoreCorruptException(
            "store's watermark is missing or damaged, so lost commits cannot be told; open it with"
                + " LostCommits.ACCEPT to go on: folder="
                + folder);
    if (options.lostCommits() == LostCommits.REFUSE) {
      throw lost;
    }
    // Not NONE: that would say that whatever data are there were never promised to anybody.
    Watermark least = new Watermark(1, 0);
    if (options.access() == Access.READ_ONLY) {
      return WatermarkFile.lost(least);
    }
    WatermarkFile.create(folder, least);
    FolderFiles.syncFolder(folder);
    WatermarkFile created = WatermarkFile.open(folder, options.access());
    if (created == null) {
      throw lost;
    }
    return created;
  }

  private static boolean hasHeader(Path folder) {
    return Files.exists(folder.resolve(FolderHeader.FILE_NAME));
  }

  private static void refuseUnfinished(Path folder) {
    if (Files.exists(folder.resolve(UNFINISHED_FILE_NAME))) {
      throw new FormatVersionException(
          "folder holds a copy that was not finished; remove the folder and copy again: folder="
              + folder);
    }
  }

  private static void refuseForeign(Path folder) throws IOException {
    List<String> names = FolderFiles.names(folder);
    names.removeAll(NEVER_FOREIGN);
    // Whoever holds the lock may just have made it a store.
    if (!names.isEmpty() && !names.contains(FolderHeader.FILE_NAME)) {
      throw new FormatVersionException(
          "folder is not empty and holds no Millrace store: folder="
              + folder
              + ", for example="
              + names.get(0));
    }
  }

  private static StoreException unusable(Path folder, IOException cause) {
    return new StoreException(
        "store folder cannot be used: folder=" + folder + ", reason=" + cause, cause);
  }
}
