package io.millrace.spi;

import io.millrace.options.Option;
import io.millrace.options.Option.Check;
import io.millrace.options.OptionTable;
import io.millrace.options.OptionValues;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Options for opening a store. Immutable: begin with {@link #of(String)} or {@link #of(Path)} and
 * change what differs.
 */
public final class StoreOptions {

  /**
   * The default of {@link #storeBytesMax()}: 256 GiB. For LMDB this is address space, not disk
   * space.
   */
  public static final long STORE_BYTES_MAX_DEFAULT = 256L << 30;

  /** The smallest limit that leaves room for the store's own bookkeeping: 1 MiB. */
  public static final long STORE_BYTES_MAX_LEAST = 1L << 20;

  /** The default of {@link #ownedFor()}: five seconds. */
  public static final Duration OWNED_FOR_DEFAULT = Duration.ofSeconds(5);

  /**
   * The shortest {@link #ownedFor()}: two seconds. With less, an ordinary pause of a process would
   * cost it its store.
   */
  public static final Duration OWNED_FOR_LEAST = Duration.ofSeconds(2);

  /**
   * The longest {@link #ownedFor()}: ten minutes. For so long nobody could go on with the work of a
   * machine that died.
   */
  public static final Duration OWNED_FOR_MOST = Duration.ofMinutes(10);

  /** A password between a user's name and the host, with the text before it. */
  private static final Pattern USER_PASSWORD = Pattern.compile("(//[^/@:?#]*:)[^/]*@");

  /** A parameter whose name says that its value is secret, up to the next parameter. */
  private static final Pattern PARAMETER_PASSWORD =
      Pattern.compile("(?i)([?&;][^=&;]*(?:password|passwd|pwd|secret|token)[^=&;]*=)[^&;]*");

  /** The parameter that may follow a folder, and says whether its store has a log. */
  private static final String LOG_PARAMETER = "?log=";

  private static final String NO_LOG = "none";

  private static final OptionTable TABLE = new OptionTable();

  private static final Option<Duration, Duration> OWNED_FOR =
      TABLE.add("ownedFor", OWNED_FOR_DEFAULT, Check.between(OWNED_FOR_LEAST, OWNED_FOR_MOST));
  private static final Option<Long, Long> STORE_BYTES_MAX =
      TABLE.add("storeBytesMax", STORE_BYTES_MAX_DEFAULT, StoreOptions::storeBytes);
  private static final Option<Access, Access> ACCESS = TABLE.add("access", Access.READ_WRITE);
  private static final Option<LostCommits, LostCommits> LOST_COMMITS =
      TABLE.add("lostCommits", LostCommits.REFUSE);
  private static final Option<Long, Long> EPOCH_LEAST =
      TABLE.add("epochLeast", 1L, Check.atLeast(1L));

  private final String location;
  private final @Nullable OwnerName owner;
  private final OptionValues values;

  /** Right with which a store is opened: to write it, or only to look at it. */
  public enum Access {
    /** The owner's right: raises the epoch and may write. */
    READ_WRITE,
    /**
     * The reader's right: changes nothing and raises no epoch; the store must exist. {@code write}
     * and {@code sync} throw. Takes the lock where two cannot share ({@link
     * StoreInfo.Sharing#EXCLUSIVE}); opens beside the owner where they can.
     */
    READ_ONLY
  }

  /** Decision about a store whose newest commit is older than its watermark says. */
  public enum LostCommits {
    /** Refusal to open the store: data loss is told, not hidden. */
    REFUSE,
    /** Opening of the store as it is: the operator has been told of the loss and accepts it. */
    ACCEPT
  }

  private StoreOptions(String location, @Nullable OwnerName owner, OptionValues values) {
    this.location = location;
    this.owner = owner;
    this.values = values;
  }

  private <S> StoreOptions with(Option<S, ?> option, S value) {
    return new StoreOptions(location, owner, values.with(option, value));
  }

  /**
   * Returns options for writing to the store at this location, with the default limits.
   *
   * @param location the part after the kind of store and its colon: a folder for stores that live
   *     in one, for others whatever they understand
   * @throws IllegalArgumentException the location is empty
   */
  public static StoreOptions of(String location) {
    if (location.isEmpty()) {
      throw new IllegalArgumentException("location is empty");
    }
    return new StoreOptions(location, null, OptionValues.of(TABLE));
  }

  /**
   * Returns options for writing to the store in this folder, with the default limits.
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
    return of(text.isEmpty() ? "." : text);
  }

  /** Sets the name of the owner that opens the store, as others see it. */
  public StoreOptions owner(OwnerName value) {
    return new StoreOptions(location, Objects.requireNonNull(value, "owner"), values);
  }

  /**
   * Sets how long the store stays ours without a sign of life, where a store is held by time and
   * not by a lock. After that another owner may take it over. Stores in a folder ignore it.
   *
   * @throws IllegalArgumentException the time is not from {@link #OWNED_FOR_LEAST} to {@link
   *     #OWNED_FOR_MOST}
   */
  public StoreOptions ownedFor(Duration value) {
    return with(OWNED_FOR, value);
  }

  /**
   * Sets how large the store may grow, in bytes.
   *
   * @throws IllegalArgumentException the value is below {@link #STORE_BYTES_MAX_LEAST}
   */
  public StoreOptions storeBytesMax(long value) {
    return with(STORE_BYTES_MAX, value);
  }

  /** Sets whether the store will be written. */
  public StoreOptions access(Access value) {
    return with(ACCESS, value);
  }

  /** Sets what to do when the store holds less than was once durable. */
  public StoreOptions lostCommits(LostCommits value) {
    return with(LOST_COMMITS, value);
  }

  /**
   * Sets the lowest epoch with which an opening for writing may begin. An epoch that would be lower
   * is raised to it, so that a copy never gives a token that its origin gave.
   *
   * @throws IllegalArgumentException the value is below 1
   */
  public StoreOptions epochLeast(long value) {
    return with(EPOCH_LEAST, value);
  }

  /**
   * Returns the part of the location after the kind of store and its colon. It may hold a password:
   * show it to no one.
   */
  public String location() {
    return location;
  }

  /** Returns the location without passwords, which may be shown, logged and told in messages. */
  public String shownLocation() {
    String withoutUser = USER_PASSWORD.matcher(location).replaceAll("$1***@");
    return PARAMETER_PASSWORD.matcher(withoutUser).replaceAll("$1***");
  }

  /**
   * Tells whether the store may keep a log before it, for stores that live in a folder and can. It
   * may not if {@code ?log=none} follows the folder.
   *
   * @throws IllegalArgumentException {@code ?log=} is followed by something other than {@code none}
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
   * Returns the location as a folder, without the parameter for the log, for stores that live in
   * one.
   *
   * @throws IllegalArgumentException the location names no folder, or begins with the {@code ~} of
   *     a shell
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

  /** Returns the owner that opens the store; this process unless another was set. */
  public OwnerName owner() {
    OwnerName given = owner;
    return given == null ? OwnerName.ofThisProcess() : given;
  }

  public Duration ownedFor() {
    return values.get(OWNED_FOR);
  }

  public long storeBytesMax() {
    return values.get(STORE_BYTES_MAX);
  }

  public Access access() {
    return values.get(ACCESS);
  }

  public LostCommits lostCommits() {
    return values.get(LOST_COMMITS);
  }

  public long epochLeast() {
    return values.get(EPOCH_LEAST);
  }

  private static long storeBytes(String name, long value) {
    if (value < STORE_BYTES_MAX_LEAST) {
      throw new IllegalArgumentException(
          name + " is too small: value=" + value + ", least=" + STORE_BYTES_MAX_LEAST);
    }
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoreOptions that
        && location.equals(that.location)
        && owner().equals(that.owner())
        && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(location, owner(), values);
  }

  @Override
  public String toString() {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("location", shownLocation());
    shown.put("owner", List.of(owner()));
    shown.putAll(values.byName());
    return "StoreOptions" + shown.entrySet();
  }
}
