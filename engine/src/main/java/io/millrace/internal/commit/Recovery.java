package io.millrace.internal.commit;

import io.millrace.api.EngineOptions;
import io.millrace.api.QueueStats;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.Sequences;
import io.millrace.internal.state.AwaitedEnds;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.job.CheckAwaited;
import io.millrace.internal.transition.lease.CheckLeases;
import io.millrace.internal.transition.lease.HandBack;
import io.millrace.internal.transition.lease.ReleaseAll;
import io.millrace.internal.transition.lease.RestoreLeases;
import io.millrace.internal.transition.upkeep.CloseStore;
import io.millrace.internal.transition.upkeep.EndSlotLogs;
import io.millrace.internal.transition.upkeep.OpenStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps by which an engine takes a store over and leaves it: the same path after a clean stop,
 * a crash and a poisoning. The cost depends on the leases that are held, not on the jobs that are
 * stored, but for the first opening of a store in which an older version has left logs of slots.
 */
final class Recovery {

  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private final EngineOptions options;
  private final ReopenableStore store;
  private final WorkingSet state;
  private final EngineTime time;
  private final OwnMarks ownMarks = new OwnMarks();

  /** True if another owner has had the store and the leases in memory are still to be forgotten. */
  private boolean isForeign;

  private volatile @Nullable String warning;

  Recovery(EngineOptions options, ReopenableStore store, WorkingSet state, EngineTime time) {
    this.options = options;
    this.store = store;
    this.state = state;
    this.time = time;
  }

  /** The way to carry out a transition as a batch of its own, durably. */
  interface Batches {
    <R> R apply(Transition<R> transition);
  }

  Opened open(Batches batches) {
    RecoveryEvent event = new RecoveryEvent();
    event.begin();
    long endedBefore = endedCount();
    MetaRecords.Time last = lastTime();
    time.start(last);
    ClockWatch.opened(last.lastCommitMs(), options.clock().epochMs()).ifPresent(LOG::warn);
    OpenStore.LastStop lastStop = takeOver(batches);
    restoreLeases(batches, isHonouring());
    return report(event, lastStop, endedBefore);
  }

  private boolean isHonouring() {
    return options.leasesAtOpen().equals(Optional.of(EngineOptions.LeasesAtOpen.HONOUR));
  }

  /**
   * Goes on after an outage. If nobody else had the store meanwhile, memory is the authority on
   * leases as before. Otherwise the leases in memory are history, and they are read from the store
   * as by an engine that opens it for the first time.
   */
  Opened reopen(Batches batches) {
    RecoveryEvent event = new RecoveryEvent();
    event.begin();
    long endedBefore = endedCount();
    boolean isOwn = !isForeign && ownMarks.isNewest(store.store());
    // An attempt that fails from here on may leave a mark of our own.
    isForeign = !isOwn;
    state.forgetStored();
    state.tenants().forget();
    state.leases().rowless().clear();
    if (isOwn) {
      time.advance(0);
      goOnTelling(store.store().lastCommit(), true);
    } else {
      LOG.warn("another owner had the store since: what is known of its leases is forgotten");
      state.leases().clear();
      state.queueLeases().clear();
      state.rates().clear();
      goOnTelling(0, false);
      time.start(lastTime());
    }
    OpenStore.LastStop lastStop = takeOver(batches);
    restoreLeases(batches, isOwn || isHonouring());
    if (isOwn) {
      batches.apply(new CheckLeases(options.honourGrace().toMillis()));
      state.queueLeases().honour(time.leaseNsNow(), options.honourGrace().toMillis());
    }
    checkAwaited(batches);
    isForeign = false;
    return report(event, lastStop, endedBefore);
  }

  /**
   * Looks at awaited jobs in the store, for what memory knew of them is lost, and ends waits that
   * are over.
   */
  private void checkAwaited(Batches batches) {
    List<JobAddress> left = awaited().jobs();
    while (!left.isEmpty()) {
      int count = batches.apply(new CheckAwaited(left));
      left = left.subList(count, left.size());
    }
  }

  /**
   * Keeps what awaited ends and listeners are still to be told, up to the given commit.
   *
   * @param lastCommit the newest commit that agrees with memory
   * @param isKnown whether nothing happened of what came after that commit
   */
  private void goOnTelling(long lastCommit, boolean isKnown) {
    awaited().reopened(lastCommit);
    state.totals().lives().listened().reopened(lastCommit, isKnown);
  }

  private AwaitedEnds awaited() {
    return state.totals().lives().awaited();
  }

  /** Returns how many leases have ended because their time was over or their holders are gone. */
  private long endedCount() {
    return state.totals().operations().getOrDefault(QueueStats.Total.EXPIRED, 0L);
  }

  private OpenStore.LastStop takeOver(Batches batches) {
    long epoch = store.store().epoch();
    ownMarks.willPut(store.store());
    OpenStore.LastStop lastStop = batches.apply(new OpenStore(epoch));
    ownMarks.havePut(store.store(), state.afterUncleanStop());
    boolean mayHaveLogs = state.slots().logsFrom() != null;
    while (mayHaveLogs) {
      mayHaveLogs = batches.apply(new EndSlotLogs());
    }
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

  /** Returns a warning about the store for the operator, if there is one. For any thread. */
  Optional<String> warning() {
    return Optional.ofNullable(warning);
  }

  /**
   * Marks the stop as clean. Leases are handed back, for their workers end with this process. Where
   * leases are honoured they stay, for their workers are anywhere; only those that nobody holds go
   * back.
   *
   * @param unheld leases that were granted to callers who had given up
   */
  void leave(Batches batches, List<LeaseEntry> unheld) {
    time.followAhead();
    if (isHonouring()) {
      List<LeaseEntry> left = unheld;
      while (!left.isEmpty()) {
        left = batches.apply(new HandBack(left));
      }
    } else {
      handBackAll(batches);
    }
    batches.apply(new CloseStore());
  }

  /**
   * Hands back all leases, the last of a line first: each goes before those that are back already,
   * which is the quickest way in.
   */
  private void handBackAll(Batches batches) {
    List<LeaseEntry> left = new ArrayList<>(state.leases().all());
    left.sort(Comparator.comparingLong(LeaseEntry::readySequence).reversed());
    while (!left.isEmpty()) {
      int count = batches.apply(new ReleaseAll(left));
      left = left.subList(count, left.size());
    }
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

  private Opened report(RecoveryEvent event, OpenStore.LastStop lastStop, long endedBefore) {
    event.end();
    if (event.shouldCommit()) {
      event.epoch = store.store().epoch();
      event.lastStop = lastStop.name();
      event.leaseCount = state.leases().size();
      event.commit();
    }
    return new Opened(lastStop.name(), endedCount() - endedBefore, state.leases().size());
  }
}
