package io.millrace.engine;

import io.millrace.MillraceException;
import io.millrace.api.CopyReport;
import io.millrace.api.CorruptRow;
import io.millrace.api.RepairReport;
import io.millrace.internal.copy.Repair;
import io.millrace.internal.copy.StoreCopy;
import io.millrace.internal.format.Keyspace;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Operations on whole stores that no engine holds: copies between stores of any kind, restored
 * backups, repairs. A running engine's store is copied with {@link JobEngine#backup}.
 *
 * <p>The origin is opened for reading only, but by {@link #restore}. The copy is a store of its
 * own, with an id of its own and an epoch that is {@value OrderedStore#COPY_EPOCH_STEP} higher, so
 * that no job id and no lease token of the one is ever given by the other. Leases in it count as
 * left behind by an unclean stop. Until it is whole no engine opens it; a copy that was cut off is
 * begun again by making it again, into the same place or another.
 *
 * <p>Everything runs on the caller's thread and takes a bounded amount of memory. Any thread may
 * call.
 */
public final class Stores {

  /**
   * The step from the epoch of a backup, as it was, to the one that a restore raises it to: the
   * restored store's epoch lies one copy's step above the old, and one below the new.
   */
  private static final long RESTORE_EPOCH_STEP = 2 * OrderedStore.COPY_EPOCH_STEP;

  private Stores() {}

  /**
   * Copies a store between locations such as {@code lmdb:data/jobs}; see {@link #copy(StorePlace,
   * StorePlace)}.
   *
   * @throws IllegalArgumentException as {@link StorePlace#of}; nothing happened
   * @throws MillraceException as {@link #copy(StorePlace, StorePlace)}
   */
  public static CopyReport copy(String from, String to) {
    return copy(StorePlace.of(from), StorePlace.of(to));
  }

  /**
   * Copies a store into an empty or absent one, and checks every row on the way.
   *
   * @throws io.millrace.api.CorruptDataException a row is damaged; the copy is unfinished
   * @throws StoreException the origin is not there, is held by an engine or is an unfinished copy,
   *     or the target is not empty, is full or cannot be written
   */
  public static CopyReport copy(StorePlace from, StorePlace to) {
    return copy(from, to, StoreCopy::refuse, new AtomicLong());
  }

  /**
   * Copies a store without its damaged rows; see {@link #copy(StorePlace, StorePlace)}. Rows that
   * named or counted the damaged ones then have to be put right by {@link #repair}. Damaged rows
   * that count the jobs of concurrency keys are told, and are in the copy as they are: an engine
   * that meets one counts anew, and without it would go by older counts.
   *
   * @param leftOut takes each damaged row, in key order
   * @throws StoreException as {@link #copy(StorePlace, StorePlace)}; whatever {@code leftOut}
   *     throws is thrown, too, and the copy is unfinished
   */
  public static CopyReport copy(StorePlace from, StorePlace to, Consumer<CorruptRow> leftOut) {
    Objects.requireNonNull(leftOut, "leftOut");
    AtomicLong leftOutCount = new AtomicLong();
    return copy(
        from,
        to,
        (key, value, reason) -> {
          leftOutCount.incrementAndGet();
          leftOut.accept(new CorruptRow(Keyspace.ofKey(key).name(), key, value, reason));
        },
        leftOutCount);
  }

  private static CopyReport copy(
      StorePlace from, StorePlace to, StoreCopy.DamagedRows damaged, AtomicLong leftOutCount) {
    try (OrderedStore origin = openOrigin(from)) {
      long epoch = origin.epoch() + OrderedStore.COPY_EPOCH_STEP;
      try (OrderedStore target = openTarget(to, epoch)) {
        return report(target, StoreCopy.copy(origin, target, damaged), leftOutCount.get());
      }
    }
  }

  /**
   * Writes a backup of a store that no engine holds, as {@link JobEngine#backup} does of one that
   * works.
   *
   * @param folder absent or empty
   * @throws StoreException the store is not there or held by an engine, or the folder is not empty,
   *     cannot be written or has no room, and what was written is removed again
   */
  public static void backup(StorePlace store, Path folder) {
    Objects.requireNonNull(folder, "folder");
    try (OrderedStore origin = openOrigin(store)) {
      origin.backupTo(folder);
    }
  }

  /**
   * Restores a backup between locations such as {@code lmdb:data/jobs}; see {@link
   * #restore(StorePlace, StorePlace)}.
   *
   * @throws IllegalArgumentException as {@link StorePlace#of}; nothing happened
   * @throws MillraceException as {@link #restore(StorePlace, StorePlace)}
   */
  public static CopyReport restore(String backup, String store) {
    return restore(StorePlace.of(backup), StorePlace.of(store));
  }

  /**
   * Makes a store of a backup, which stays and can be restored again.
   *
   * <p>Before anything is copied, the backup's own epoch is raised durably: two stores that are
   * restored from one backup give no id and no lease token twice, and neither does the backup if it
   * is opened itself.
   *
   * @param backup a store; that it was made by {@link JobEngine#backup} is not required
   * @param store an empty or absent store, of any kind
   * @throws io.millrace.api.CorruptDataException a row of the backup is damaged; the store is
   *     unfinished
   * @throws StoreException the backup is not there, not whole or cannot be written to, or the store
   *     is not empty, is full or cannot be written
   */
  public static CopyReport restore(StorePlace backup, StorePlace store) {
    long least;
    try (OrderedStore origin = openOrigin(backup)) {
      least = origin.epoch() + RESTORE_EPOCH_STEP;
    }
    refuseOccupied(store);
    StoreOptions marking = backup.options().epochLeast(least);
    try (OrderedStore origin =
        backup.factory().open(marking.access(StoreOptions.Access.READ_WRITE))) {
      long epoch = origin.epoch() - OrderedStore.COPY_EPOCH_STEP;
      try (OrderedStore target = openTarget(store, epoch)) {
        return report(target, StoreCopy.copy(origin, target, StoreCopy::refuse), 0);
      }
    }
  }

  /**
   * Repairs a store between locations such as {@code lmdb:data/jobs}; see {@link
   * #repair(StorePlace, StorePlace, Consumer)}.
   *
   * @throws IllegalArgumentException as {@link StorePlace#of}; nothing happened
   * @throws StoreException as {@link #repair(StorePlace, StorePlace, Consumer)}
   */
  public static RepairReport repair(
      String from, String to, Consumer<RepairReport.Finding> onFinding) {
    return repair(StorePlace.of(from), StorePlace.of(to), onFinding);
  }

  /**
   * Makes a new store of what the records of a damaged one say; the damaged one is only read.
   *
   * <p>Every job whose record and payload are whole is in the new store, in the state in which it
   * was; a job whose last checkpoint is damaged starts its next attempt without it. All that
   * follows from the records is written anew: counters, agenda, concurrency slots, where moved jobs
   * are, unique keys, timers. Rows that are damaged, or contradict a record that was kept, are set
   * aside as they were found. A job that is found in two states stays where it was moved last; the
   * other record is set aside. Jobs of a queue that nothing names any more are in a queue {@code
   * recovered-}<i>number</i>. Leases of jobs that are in line are kept, and count as left behind by
   * an unclean stop. A store with nothing wrong is copied as it is.
   *
   * @param from a store that no engine holds
   * @param to an empty or absent store, of any kind
   * @param onFinding is told of each finding, on the caller's thread, while the repair runs
   * @throws StoreException the damaged store is not there, held by an engine, an unfinished copy or
   *     of a newer version, or the new one is not empty, is full or cannot be written
   */
  public static RepairReport repair(
      StorePlace from, StorePlace to, Consumer<RepairReport.Finding> onFinding) {
    Objects.requireNonNull(onFinding, "onFinding");
    try (OrderedStore origin = openOrigin(from)) {
      long epoch = origin.epoch() + OrderedStore.COPY_EPOCH_STEP;
      try (OrderedStore target = openTarget(to, epoch)) {
        return Repair.run(origin, target, System.currentTimeMillis(), onFinding);
      }
    }
  }

  private static CopyReport report(OrderedStore target, StoreCopy.Amount amount, long leftOut) {
    return new CopyReport(
        target.info().storeId(), target.epoch(), amount.rowCount(), amount.bytes(), leftOut);
  }

  private static OrderedStore openOrigin(StorePlace place) {
    OrderedStore origin =
        place.factory().open(place.options().access(StoreOptions.Access.READ_ONLY));
    try {
      requireSound(origin);
      StoreCopy.checkOrigin(origin);
      return origin;
    } catch (Throwable e) {
      origin.close();
      throw e;
    }
  }

  /**
   * Refuses a store that is damaged beneath its rows: damaged rows cannot be told from missing ones
   * there.
   */
  private static void requireSound(OrderedStore origin) {
    List<String> flaws = origin.flaws();
    if (!flaws.isEmpty()) {
      throw new StoreCorruptException(flaws.get(0));
    }
  }

  private static OrderedStore openTarget(StorePlace place, long epochLeast) {
    refuseOccupied(place);
    StoreOptions options = place.options().epochLeast(epochLeast);
    return place.factory().open(options.access(StoreOptions.Access.READ_WRITE));
  }

  /**
   * Refuses a place where a store is that cannot be copied into. Looks without touching: opening
   * for writing would change a store that is there by mistake.
   */
  private static void refuseOccupied(StorePlace place) {
    OrderedStore there;
    try {
      there = place.factory().open(place.options().access(StoreOptions.Access.READ_ONLY));
    } catch (StoreLockedException e) {
      throw e;
    } catch (StoreException e) {
      // Nothing is there, or nothing that can be read: opening it for writing says which.
      return;
    }
    try (there) {
      StoreCopy.checkTarget(there);
    }
  }
}
