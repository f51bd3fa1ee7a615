package io.millrace.internal.commit;

import io.millrace.api.EngineOptions;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.Sequences;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.lease.CheckLeases;
import io.millrace.internal.transition.lease.ReleaseAll;
import io.millrace.internal.transition.lease.RestoreLeases;
import io.millrace.internal.transition.upkeep.CloseStore;
import io.millrace.internal.transition.upkeep.OpenStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an engine takes a store over and leaves it: the same path after a clean stop, a crash and a
 * poisoning. Its cost depends on the leases that are held, not on the jobs that are stored.
 */
final class Recovery {

  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private final EngineOptions options;
  private final ReopenableStore store;
  private final WorkingSet state;
  private final EngineTime time;
  private volatile @Nullable String warning;

  Recovery(EngineOptions options, ReopenableStore store, WorkingSet state, EngineTime time) {
    this.options = options;
    this.store = store;
    this.state = state;
    this.time = time;
  }

  /** Carries out a transition as a batch of its own, durably. */
  interface Batches {
    <R> R apply(Transition<R> transition);
  }

  void open(Batches batches) {
    RecoveryEvent event = new RecoveryEvent();
    event.begin();
    MetaRecords.Time last = lastTime();
    time.start(last);
    ClockWatch.opened(last.lastCommitMs(), options.clock().epochMs()).ifPresent(LOG::warn);
    OpenStore.LastStop lastStop = takeOver(batches);
    boolean isHonouring = options.leasesAtOpen() == EngineOptions.LeasesAtOpen.HONOUR;
    restoreLeases(batches, isHonouring);
    report(event, lastStop);
  }

  void reopen(Batches batches) {
    RecoveryEvent event = new RecoveryEvent();
    event.begin();
    state.forgetStored();
    state.leases().rowless().clear();
    time.advance(0);
    OpenStore.LastStop lastStop = takeOver(batches);
    restoreLeases(batches, true);
    batches.apply(new CheckLeases(options.honourGrace().toMillis()));
    report(event, lastStop);
  }

  private OpenStore.LastStop takeOver(Batches batches) {
    long epoch = store.store().epoch();
    OpenStore.LastStop lastStop = batches.apply(new OpenStore(epoch));
    if (epoch >= Sequences.EPOCH_MAX / 10 * 9) {
      String told =
          "the store was opened, or reopened, nearly as often as is possible: openings="
              + epoch
              + ", most="
              + Sequences.EPOCH_MAX
              + "; move its work to a new store before, and keep that open for longer";
      warning = told;
      LOG.warn(told);
    }
    return lastStop;
  }

  /** What an operator should know of the store. For any thread. */
  Optional<String> warning() {
    return Optional.ofNullable(warning);
  }

  /**
   * Hands all leases back and marks the stop as clean. The last of a line first: each goes before
   * those that are back already, which is the quickest way in.
   */
  void leave(Batches batches) {
    List<LeaseEntry> left = new ArrayList<>(state.leases().all());
    left.sort(Comparator.comparingLong(LeaseEntry::readySequence).reversed());
    while (!left.isEmpty()) {
      int count = batches.apply(new ReleaseAll(left));
      left = left.subList(count, left.size());
    }
    batches.apply(new CloseStore());
  }

  private void restoreLeases(Batches batches, boolean isHonouring) {
    RestoreLeases.Policy policy =
        new RestoreLeases.Policy(isHonouring, options.honourGrace().toMillis());
    Optional<byte[]> from = Optional.of(Keyspace.LEASE.start());
    while (from.isPresent()) {
      from = batches.apply(new RestoreLeases(from.get(), policy));
    }
  }

  private MetaRecords.Time lastTime() {
    byte @Nullable [] value = store.store().getAll(List.of(MetaKeys.TIME)).get(0);
    return value == null ? MetaRecords.Time.NONE : MetaRecords.Time.decode(value);
  }

  private void report(RecoveryEvent event, OpenStore.LastStop lastStop) {
    event.end();
    if (event.shouldCommit()) {
      event.epoch = store.store().epoch();
      event.lastStop = lastStop.name();
      event.leaseCount = state.leases().size();
      event.commit();
    }
  }
}
