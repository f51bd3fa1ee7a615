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
 * The marks that this engine has put into the store. They tell whether anybody else has had the
 * store since this engine opened it.
 *
 * <p>The first batch of every engine that opens a store marks it as not cleanly stopped. The mark
 * names an epoch: that of this very opening if the stop before was not clean either, or else the
 * one that was there. Nothing of an opening is in the store before that batch. So an engine that
 * opens a store which another has lost finds an unclean mark and puts another epoch in its place,
 * which was given to nobody else. A mark of our own therefore says that no batch of anybody else's
 * came after it. Epochs alone do not tell that: they rise by more than one if a store wishes, or if
 * an opening failed after it had raised its own.
 *
 * <p>A batch with a mark may have an unknown outcome. The mark that it would have put counts as
 * ours.
 */
final class OwnMarks {

  private final Set<Long> epochs = new HashSet<>();
  private String storeId = "";

  /** Notes that a mark is about to be put. It may name the epoch of this opening. */
  void willPut(OrderedStore store) {
    epochs.add(store.epoch());
  }

  /** Notes that the mark is in the store; marks before it are history. */
  void havePut(OrderedStore store, long markedEpoch) {
    storeId = store.info().storeId();
    epochs.clear();
    epochs.add(markedEpoch);
  }

  /** Tells whether the newest mark is this engine's and the store is still the same. */
  boolean isNewest(OrderedStore store) {
    CleanStop stop = decoded(store.getAll(List.of(MetaKeys.CLEAN_STOP)).get(0));
    return stop != null
        && !stop.isClean()
        && epochs.contains(stop.afterUnclean())
        && store.info().storeId().equals(storeId);
  }

  /** Returns the mark, or null for none; a mark that cannot be read is nobody's. */
  private static @Nullable CleanStop decoded(byte @Nullable [] row) {
    try {
      return row == null ? null : CleanStop.decode(row);
    } catch (CorruptDataException e) {
      return null;
    }
  }
}
