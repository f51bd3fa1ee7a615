package io.millrace.internal.commit;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords.CleanStop;
import io.millrace.spi.OrderedStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether anybody else has had the store since this engine opened it.
 *
 * <p>The first batch of every engine that opens a store marks it as not cleanly stopped, and the
 * mark names an epoch: that of this very opening if the stop before was not clean either, or else
 * the one that was there. Nothing of an opening is in the store before that batch. So whoever opens
 * a store that an engine has lost finds an unclean mark and puts another epoch in its place, which
 * was given to nobody else; and a mark that is ours says that no batch of anybody else's came after
 * it. Epochs alone do not tell that: they rise by more than one if a store wishes, or if an opening
 * failed after it had raised its own.
 *
 * <p>A batch with a mark may have an unknown outcome: what it would have put is ours, too.
 */
final class OwnMarks {

  private final Set<Long> epochs = new HashSet<>();
  private String storeId = "";

  /** A mark is about to be put, which may name the epoch of this opening. */
  void willPut(OrderedStore store) {
    epochs.add(store.epoch());
  }

  /** The mark is in the store, so that those before it are history. */
  void havePut(OrderedStore store, long markedEpoch) {
    storeId = store.info().storeId();
    epochs.clear();
    epochs.add(markedEpoch);
  }

  /** Whether the newest mark in the store is this engine's, and it is the same store. */
  boolean isNewest(OrderedStore store) {
    CleanStop stop = decoded(store.getAll(List.of(MetaKeys.CLEAN_STOP)).get(0));
    return stop != null
        && !stop.isClean()
        && epochs.contains(stop.afterUnclean())
        && store.info().storeId().equals(storeId);
  }

  /** A mark that cannot be read is nobody's. */
  private static @Nullable CleanStop decoded(byte @Nullable [] row) {
    try {
      return row == null ? null : CleanStop.decode(row);
    } catch (CorruptDataException e) {
      return null;
    }
  }
}
