package io.millrace.internal.commit;

import io.millrace.api.EngineOptions;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.CheckLeases;
import io.millrace.internal.transition.CloseStore;
import io.millrace.internal.transition.OpenStore;
import io.millrace.internal.transition.ReleaseAll;
import io.millrace.internal.transition.RestoreLeases;
import io.millrace.internal.transition.Transition;
import io.millrace.spi.ReadView;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How an engine takes a store over and leaves it: the same path after a clean stop, a crash and a
 * poisoning. Its cost depends on the leases that are held, not on the jobs that are stored.
 */
final class Recovery {

  private final EngineOptions options;
  private final StoreHandle store;
  private final WorkingSet state;
  private final EngineTime time;

  Recovery(EngineOptions options, StoreHandle store, WorkingSet state, EngineTime time) {
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
    time.start(lastTime());
    OpenStore.LastStop lastStop = batches.apply(new OpenStore(store.store().epoch()));
    boolean isHonouring = options.leasesAtOpen() == EngineOptions.LeasesAtOpen.HONOUR;
    restoreLeases(batches, isHonouring);
    report(event, lastStop);
  }

  void reopen(Batches batches) {
    RecoveryEvent event = new RecoveryEvent();
    event.begin();
    state.forgetStored();
    state.leases().forgetUnwritten();
    time.advance(0);
    OpenStore.LastStop lastStop = batches.apply(new OpenStore(store.store().epoch()));
    restoreLeases(batches, true);
    batches.apply(new CheckLeases(options.honourGrace().toMillis()));
    report(event, lastStop);
  }

  /** Hands all leases back and marks the stop as clean. */
  void leave(Batches batches) {
    int left = state.leases().size();
    int before = left + 1;
    while (left > 0 && left < before) {
      batches.apply(new ReleaseAll());
      before = left;
      left = state.leases().size();
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
    try (ReadView view = store.store().read()) {
      byte @Nullable [] value = view.get(MetaKeys.TIME);
      return value == null ? MetaRecords.Time.NONE : MetaRecords.Time.decode(value);
    }
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
