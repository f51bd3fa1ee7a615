package io.millrace.spi;

import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How to open a store. Immutable: begin with {@link #of(String)} or {@link #of(Path)} and change
 * what differs.
 */
public final class StoreOptions {

  /** 256 GiB. For LMDB this is address space, not disk space. */
  public static final long STORE_BYTES_MAX_DEFAULT = 256L << 30;

  /** The smallest limit that leaves room for the store's own bookkeeping: 1 MiB. */
  public static final long STORE_BYTES_MAX_LEAST = 1L << 20;

  /** Five seconds. */
  public static final Duration OWNED_FOR_DEFAULT = Duration.ofSeconds(5);

  /** Two seconds: with less, an ordinary pause of a process would cost it its store. */
  public static final Duration OWNED_FOR_LEAST = Duration.ofSeconds(2);

  /** Ten minutes: for so long nobody could go on with the work of a machine that died. */
  public static final Duration OWNED_FOR_MOST = Duration.ofMinutes(10);

  /** What stands between a user's name and the host. */
  private static final Pattern USER_PASSWORD = Pattern.compile("(//[^/@:?#]*:)[^/]*@");

  /** What such a parameter holds, up to the next. */
  private static final Pattern PARAMETER_PASSWORD =
      Pattern.compile("(?i)([?&;][^=&;]*(?:password|passwd|pwd|secret|token)[^=&;]*=)[^&;]*");

  /** What may stand behind a folder, and says whether its store has a log. */
  private static final String LOG_PARAMETER = "?log=";

  private static final String NO_LOG = "none";

  private final String location;
  private @Nullable OwnerName owner;
  private Duration ownedFor = OWNED_FOR_DEFAULT;
  private long storeBytesMax = STORE_BYTES_MAX_DEFAULT;
  private Access access = Access.READ_WRITE;
  private LostCommits lostCommits = LostCommits.REFUSE;
  private long epochLeast = 1;

  /** Whether a store is opened for writing or only to be looked at. */
  public enum Access {
    /** The owner: raises the epoch and may write. */
    READ_WRITE,
    /**
     * Changes nothing, raises no epoch; the store must exist. {@code write} and {@code sync} throw.
     * Takes the lock where two cannot share ({@link StoreInfo.Sharing#EXCLUSIVE}); opens beside the
     * owner where they can.
     */
    READ_ONLY
  }

  /** What to do when the newest commit in the store is older than its watermark says. */
  public enum LostCommits {
    /** Refuse to open: data loss is told, not hidden. */
    REFUSE,
    /** Open what is there; the operator has been told and accepts it. */
    ACCEPT
  }

  private StoreOptions(String location) {
    this.location = location;
  }

  private StoreOptions(StoreOptions other) {
    location = other.location;
    owner = other.owner;
    ownedFor = other.ownedFor;
    storeBytesMax = other.storeBytesMax;
    access = other.access;
    lostCommits = other.lostCommits;
    epochLeast = other.epochLeast;
  }

  /**
   * Options for writing to the store at this location, with the default limits.
   *
   * @param location what stands behind the kind of store and its colon: a folder for stores that
   *     live in one, for others whatever they understand
   */
  public static StoreOptions of(String location) {
    if (location.isEmpty()) {
      throw new IllegalArgumentException("location is empty");
    }
    return new StoreOptions(location);
  }

  /**
   * Options for writing to the store in this folder, with the default limits.
   *
   * @throws IllegalArgumentException the folder is not of the machine's own file system, so that
   *     its name says nothing elsewhere
   */
  public static StoreOptions of(Path folder) {
    if (Objects.requireNonNull(folder, "folder").getFileSystem() != FileSystems.getDefault()) {
      throw new IllegalArgumentException(
          "folder is not in the machine's own file system: folder=" + folder);
    }
    String text = folder.toString();
    return new StoreOptions(text.isEmpty() ? "." : text);
  }

  /** Who opens it, as others are told. */
  public StoreOptions owner(OwnerName value) {
    StoreOptions changed = new StoreOptions(this);
    changed.owner = Objects.requireNonNull(value, "owner");
    return changed;
  }

  /**
   * For how long the store stays ours without a sign of life, where a store is held by time and not
   * by a lock: then another may take it over. Stores in a folder ignore it.
   */
  public StoreOptions ownedFor(Duration value) {
    Objects.requireNonNull(value, "ownedFor");
    if (value.compareTo(OWNED_FOR_LEAST) < 0 || value.compareTo(OWNED_FOR_MOST) > 0) {
      throw new IllegalArgumentException(
          "ownedFor is out of range: value="
              + value
              + ", least="
              + OWNED_FOR_LEAST
              + ", most="
              + OWNED_FOR_MOST);
    }
    StoreOptions changed = new StoreOptions(this);
    changed.ownedFor = value;
    return changed;
  }

  /** How large the store may grow, in bytes. */
  public StoreOptions storeBytesMax(long value) {
    if (value < STORE_BYTES_MAX_LEAST) {
      throw new IllegalArgumentException(
          "storeBytesMax is too small: value=" + value + ", least=" + STORE_BYTES_MAX_LEAST);
    }
    StoreOptions changed = new StoreOptions(this);
    changed.storeBytesMax = value;
    return changed;
  }

  /** Whether the store will be written. */
  public StoreOptions access(Access value) {
    StoreOptions changed = new StoreOptions(this);
    changed.access = Objects.requireNonNull(value, "access");
    return changed;
  }

  /** What to do when the store holds less than was once durable. */
  public StoreOptions lostCommits(LostCommits value) {
    StoreOptions changed = new StoreOptions(this);
    changed.lostCommits = Objects.requireNonNull(value, "lostCommits");
    return changed;
  }

  /**
   * The lowest epoch that opening for writing may begin; one that is lower by itself is raised to
   * it, so that a copy never gives what its origin gave.
   */
  public StoreOptions epochLeast(long value) {
    if (value < 1) {
      throw new IllegalArgumentException("epochLeast is too low: value=" + value + ", least=1");
    }
    StoreOptions changed = new StoreOptions(this);
    changed.epochLeast = value;
    return changed;
  }

  /** What stands behind the kind of store and its colon. May hold a password: show no one. */
  public String location() {
    return location;
  }

  /** The location as it may be shown, logged and told in messages: without passwords. */
  public String shownLocation() {
    String withoutUser = USER_PASSWORD.matcher(location).replaceAll("$1***@");
    return PARAMETER_PASSWORD.matcher(withoutUser).replaceAll("$1***");
  }

  /**
   * Tells whether the store may keep a log before it, for stores that live in a folder and can: it
   * may not if {@code ?log=none} stands behind the folder.
   *
   * @throws IllegalArgumentException something else than {@code none} stands there
   */
  public boolean mayHaveLog() {
    int at = location.lastIndexOf(LOG_PARAMETER);
    if (at < 0) {
      return true;
    }
    String value = location.substring(at + LOG_PARAMETER.length());
    if (!value.equals(NO_LOG)) {
      throw new IllegalArgumentException(
          "location says something unknown of the store's log: value=\""
              + value
              + "\", known=none; leave \"?log=\" out for a store with a log");
    }
    return false;
  }

  /**
   * The location as a folder, for stores that live in one: without what it says of a log.
   *
   * @throws IllegalArgumentException it names no folder, or begins with the {@code ~} of a shell
   */
  public Path folder() {
    String folder = location;
    if (!mayHaveLog()) {
      folder = location.substring(0, location.lastIndexOf(LOG_PARAMETER));
      if (folder.isEmpty()) {
        throw new IllegalArgumentException(
            "location names no folder: value=\"" + shownLocation() + "\", reason=it is empty");
      }
    }
    if (folder.equals("~") || folder.startsWith("~/")) {
      throw new IllegalArgumentException(
          "location begins with ~, which shells alone read as the home folder: value=\""
              + shownLocation()
              + "\"; write the folder out, or ./~ for one of that name");
    }
    try {
      return Path.of(folder);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "location names no folder: value=\"" + shownLocation() + "\", reason=" + e.getReason(),
          e);
    }
  }

  /** Who opens it; this process, if nothing else was said. */
  public OwnerName owner() {
    OwnerName given = owner;
    return given == null ? OwnerName.ofThisProcess() : given;
  }

  public Duration ownedFor() {
    return ownedFor;
  }

  public long storeBytesMax() {
    return storeBytesMax;
  }

  public Access access() {
    return access;
  }

  public LostCommits lostCommits() {
    return lostCommits;
  }

  public long epochLeast() {
    return epochLeast;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoreOptions that
        && location.equals(that.location)
        && owner().equals(that.owner())
        && ownedFor.equals(that.ownedFor)
        && storeBytesMax == that.storeBytesMax
        && access == that.access
        && lostCommits == that.lostCommits
        && epochLeast == that.epochLeast;
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        location, owner(), ownedFor, storeBytesMax, access, lostCommits, epochLeast);
  }

  @Override
  public String toString() {
    return "StoreOptions[location="
        + shownLocation()
        + ", owner=["
        + owner()
        + "], ownedFor="
        + ownedFor
        + ", storeBytesMax="
        + storeBytesMax
        + ", access="
        + access
        + ", lostCommits="
        + lostCommits
        + ", epochLeast="
        + epochLeast
        + "]";
  }
}
