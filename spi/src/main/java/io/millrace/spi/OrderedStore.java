package io.millrace.spi;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Byte strings in unsigned lexicographic order, changed by atomic numbered batches and read through
 * snapshots.
 *
 * <p><b>Threads.</b> {@code write} belongs to one thread for the life of the store: the first that
 * calls it. {@code sync} belongs to that thread too, unless {@link StoreInfo.Syncing#BESIDE_WRITE}
 * says otherwise. Everything else may be called from any thread at any time, also during {@code
 * close}, after which it throws {@link StoreClosedException}.
 *
 * <p><b>Numbers.</b> Batch {@code n} follows batch {@code n - 1}, unless it is a {@linkplain
 * WriteBatch#follow sum}, which stands for several and follows the one before them. The store keeps
 * (epoch, n) in the batch itself, under a key of its own that no view shows, so that a lost or
 * replayed batch is seen.
 *
 * <p><b>Durability.</b> A batch that {@code write} has returned from survives the death of the
 * process; one that {@code syncedCommit} covers survives power loss. What survives is always a
 * prefix of the batches, each whole.
 */
public interface OrderedStore extends AutoCloseable {

  StoreInfo info();

  /**
   * Returns the epoch, which numbers this opening of the store: at least 1, and durably higher for
   * each later opening for writing, by one or more. No two openings for writing are ever given the
   * same, even if one of them ends before it has written anything.
   */
  long epoch();

  /** Returns the number of the newest batch that views see; 0 in a new store. */
  long lastCommit();

  /**
   * Returns the number of the newest batch known to be on stable storage; never above {@code
   * lastCommit}.
   */
  long syncedCommit();

  /**
   * Returns about how many bytes the store takes now. Empty if that is the size of the files in its
   * {@linkplain StoreInfo#folder() folder}, or if it cannot be known.
   */
  default OptionalLong usedBytes() {
    return OptionalLong.empty();
  }

  /**
   * Returns the store's own time, as of its last answer and carried on since: epoch milliseconds,
   * at least about the same for all who open the store, on whatever host. Empty if it has no clock,
   * as stores in this process have none. Asks nobody.
   */
  default OptionalLong clockMs() {
    return OptionalLong.empty();
  }

  /**
   * Opens a view of everything written before this call and of nothing after it.
   *
   * <p>Close it soon: an open view keeps the store from reusing space. Views are for one thread at
   * a time. The store does not wait for a view to be closed: a caller who must always get one, such
   * as the writer, has to make sure that the others leave one. On the writer's thread a view costs
   * nothing: a remote store need not send anything, for nobody else writes.
   *
   * @throws StoreBusyException {@link StoreInfo#viewCountMax()} views are open; nothing happened
   * @throws StoreUnavailableException the store cannot be reached; nothing happened
   */
  ReadView read();

  /**
   * Returns the keys' values in the order of the keys, null for each key that is absent, all as of
   * one moment during the call. For callers who need one look and no view. Takes one round trip in
   * remote stores.
   *
   * @throws IllegalArgumentException a key is empty or too long
   * @throws StoreBusyException the call needs a view, and as many as there may be are open
   * @throws StoreUnavailableException the store cannot be reached; nothing was read
   */
  default List<byte @Nullable []> getAll(List<byte[]> keys) {
    try (ReadView view = read()) {
      return view.getAll(keys);
    }
  }

  /**
   * Applies the whole batch or nothing of it; later views see it when this returns. The batch is
   * not kept.
   *
   * <p>A shared store moves its guard, the row of (epoch, n), from {@code batch.previous()} to
   * {@code n} in the same step, so that a write that returns proves that nobody else has taken the
   * store over before. If its connection breaks it finds out by the number what became of the
   * batch, and sends it again if nothing did: it throws only when that cannot be found out.
   *
   * @throws IllegalArgumentException the batch does not follow {@code lastCommit()}, or a key, a
   *     value or the batch is beyond a limit of {@code info()}; nothing happened
   * @throws IllegalStateException called from another thread than before, or the store is
   *     read-only; nothing happened
   * @throws StoreFullException there is no room; nothing happened, and smaller or freeing batches
   *     may still succeed
   * @throws StoreFailedException whether the batch happened is unknown; the store refuses every
   *     later write
   * @throws StoreFencedException another owner took over; nothing of this batch happened, and
   *     nothing will
   */
  void write(WriteBatch batch);

  /**
   * Makes durable every batch written before this call: afterwards {@code syncedCommit()} is at
   * least what {@code lastCommit()} was.
   *
   * @throws StoreFailedException what is durable is unknown; the store refuses every later write
   * @throws StoreFencedException another owner took over; what is durable is unknown
   */
  void sync();

  /**
   * Does the store's own upkeep, such as writing down how far it is durable, or renewing the time
   * for which it is ours. The writer's thread calls it when it has nothing else to do, as often as
   * it likes, and about once a second in any case. A writer that hangs does not call it, and so
   * loses a store that is held by time.
   *
   * <p>It may change {@code syncedCommit()}, but no rows and nothing else that is told. Work that
   * takes time is done about once a second, so that a store that was left alone for longer can tell
   * at its next opening whether anything was lost. Work that cannot be done because the store
   * cannot be reached is left to the next call.
   *
   * @throws IllegalStateException called from another thread than {@code write}, or the store is
   *     read-only
   * @throws StoreFailedException the store cannot go on; it refuses every later write
   * @throws StoreFencedException another owner took over
   */
  void settle();

  /**
   * Looks for damage beneath the rows, by which the store itself would be led astray. Empty if
   * there is none, or if the store finds all such damage by itself when it reads. May be called
   * from any thread. Takes as long as reading the whole store, beside other work, and may keep the
   * store from reusing space until then.
   *
   * @return a sentence for each flaw, at most {@value #FLAW_COUNT_MAX}
   * @throws StoreException the files cannot be read
   */
  default List<String> flaws() {
    return List.of();
  }

  /** The most flaws that {@link #flaws()} returns. */
  int FLAW_COUNT_MAX = 100;

  /**
   * Writes a consistent copy into an empty or absent folder while work goes on. The copy opens as a
   * store of its own: it has a new store id, an epoch that is {@value #COPY_EPOCH_STEP} higher, and
   * its own watermark.
   *
   * @throws StoreClosedException the store was closed before the copy was whole; what there was of
   *     it was removed
   * @throws StoreException the folder is not empty or cannot be written, and the partial copy was
   *     removed; or the store keeps nothing ({@link StoreInfo.Durability#NONE}), so that there is
   *     nothing to copy; or backups are the database's own affair ({@link StoreInfo.Backup#NONE})
   */
  void backupTo(Path folder);

  /**
   * Tells backups under way to stop, waits some seconds for calls under way, makes everything
   * durable, and frees the store. Idempotent.
   *
   * @throws StoreFailedException the last sync failed; the store is closed all the same. Or a call
   *     did not end in time; no other gets in, and the last to leave makes everything durable and
   *     frees the store
   */
  @Override
  void close();

  /**
   * The difference between a copy's epoch and its origin's: no token of the one is ever given by
   * the other.
   */
  long COPY_EPOCH_STEP = 1_000;
}
