package io.millrace.internal.transition.move;

import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SlotEntry;
import io.millrace.internal.state.SlotRef;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.SubmitTime;
import io.millrace.spi.WriteBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The handing on of slots that were given up to the next blocked jobs of their keys: by priority,
 * then in the order in which they were blocked. It follows each change within the same batch, so
 * that no commit leaves a free slot beside a blocked job.
 *
 * <p>Only a setting that was raised can free more slots at once than a batch has room for. What is
 * left then is noted in the queue's counts ({@link io.millrace.internal.state.PerKeyDone}), and a
 * walk goes on with it.
 */
public final class HandOn {

  /** The rows that are fetched at once: mostly a single slot is free. */
  private static final int LIKELY_ROWS = 2;

  private HandOn() {}

  /** A blocked job with its record at the key. */
  private record Blocked(byte[] key, JobRecord job) {}

  /** The work that is left for a key. */
  public enum Left {
    /** Nothing: the key has no free slot, or no blocked job. */
    NOTHING,
    /** Some jobs: more may go on than there was room for. */
    SOME
  }

  /**
   * Hands on the slots of all keys of which slots were given up. The jobs that get them are as
   * durable as due work.
   */
  public static void all(OpenBatch batch, SubmitTime now) {
    if (batch.state().slots().hasFree()) {
      batch.beginUpkeep(now, batch.state().rules().durability());
      batch.aside(() -> fillAll(batch));
    }
  }

  private static void fillAll(OpenBatch batch) {
    while (batch.state().slots().hasFree()) {
      for (SlotEntry slot : batch.state().slots().takeFree()) {
        QueueState queue = batch.state().queue(slot.queue());
        if (queue != null && fill(batch, queue, slot) == Left.SOME) {
          queue.lowerPerKeyDone(slot.holders());
          batch.state().slots().noteRaised(queue.name());
        }
      }
    }
  }

  /** Hands on the free slots of one key. */
  public static Left key(OpenBatch batch, QueueState queue, byte[] concurrencyKey) {
    SlotRef ref = new SlotRef(SlotKeys.key(queue.number(), concurrencyKey));
    return fill(batch, queue, Slots.read(batch, queue, ref));
  }

  private static Left fill(OpenBatch batch, QueueState queue, SlotEntry slot) {
    int perKey = queue.settings().perKey();
    long countMax = Math.min(slot.blocked(), batch.context().stepRows());
    int count = (int) Math.min(perKey - slot.holders(), countMax);
    if (count <= 0) {
      queue.lowerPerKeyDone(perKey);
      return Left.NOTHING;
    }
    List<Blocked> next = next(batch, queue, slot, count);
    int done = 0;
    while (done < next.size() && (done == 0 || batch.hasRoomToSpare(Cost.HAND_ON))) {
      Blocked first = next.get(done);
      Moves.move(batch, queue, first.key(), first.job(), Destination.LINE);
      slot.passBlocked(first.key());
      done++;
    }
    batch.state().slots().unmarkFree(slot);
    boolean isOver = slot.holders() >= perKey || slot.blocked() == 0 || next.size() < count;
    return isOver && done == next.size() ? Left.NOTHING : Left.SOME;
  }

  /** Returns the blocked jobs whose turn it is, without those that cannot be read. */
  private static List<Blocked> next(OpenBatch batch, QueueState queue, SlotEntry slot, int count) {
    List<byte[]> all = slot.allBlocked();
    List<Blocked> known = all == null ? List.of() : read(batch, all.subList(0, count));
    return known.isEmpty() ? find(batch, queue, slot, count) : known;
  }

  /**
   * Reads the blocked jobs at the keys; returns none if one of them is missing or cannot be read.
   */
  private static List<Blocked> read(OpenBatch batch, List<byte[]> keys) {
    List<Blocked> found = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      if (add(batch, found, key, batch.get(key)) == 0) {
        return List.of();
      }
    }
    return found.size() < keys.size() ? List.of() : found;
  }

  /**
   * Finds the next blocked jobs in the store, and in what the batch has put there, separately:
   * laying the batch over the store would take a look at all of the batch for each job that ends.
   */
  private static List<Blocked> find(OpenBatch batch, QueueState queue, SlotEntry slot, int count) {
    WriteBatch writes = batch.writes();
    List<Blocked> found = new ArrayList<>(Math.min(count, LIKELY_ROWS));
    long[] seen = {0};
    batch.scanStored(
        slot.blockedFrom(),
        BlockedKeys.end(slot.queue(), slot.concurrencyKey()),
        Math.min(count + 1, LIKELY_ROWS),
        (key, value) -> {
          int index = writes.find(key);
          seen[0] +=
              add(batch, found, key, index == WriteBatch.ABSENT ? value : writes.value(index));
          return found.size() < count;
        });
    boolean isEnd = found.size() < count;
    for (byte[] key : slot.added()) {
      int index = writes.find(key);
      seen[0] += add(batch, found, key, index == WriteBatch.ABSENT ? null : writes.value(index));
    }
    if (isEnd && seen[0] != slot.blocked()) {
      SlotRecount.of(batch, queue, slot.slotKey());
    }
    if (!slot.added().isEmpty()) {
      found.sort((a, b) -> Arrays.compareUnsigned(a.key(), b.key()));
    }
    return found.size() <= count ? found : found.subList(0, count);
  }

  /** Adds the blocked job if its record can be read; returns 1 if there is a row at all, else 0. */
  private static int add(
      OpenBatch batch, List<Blocked> found, byte[] key, byte @Nullable [] value) {
    if (value == null) {
      return 0;
    }
    JobRecord job = Records.decodeOrReport(batch, key, value);
    if (job != null) {
      found.add(new Blocked(key, job));
    }
    return 1;
  }
}
