package io.millrace.engine;

import io.millrace.api.EngineOptions;
import io.millrace.internal.format.Incarnation;
import io.millrace.internal.state.BatchLimits;
import io.millrace.internal.state.Rules;
import io.millrace.internal.state.WorkingSet;
import io.millrace.spi.StoreInfo;

/** The rules of an engine: its options, as far as they fit its store. */
final class EngineRules {

  private EngineRules() {}

  static WorkingSet workingSet(EngineOptions options, StoreInfo store, int broadcastStepMax) {
    return new WorkingSet(
        new Rules(
            options.durability(),
            doClaimsWait(options),
            store.sharing(),
            options.leaseCountMax(),
            options.awaitCountMax(),
            options.windowBytesMax(),
            BatchLimits.of(store),
            broadcastStepMax,
            incarnation(options)));
  }

  static EngineOptions fitting(EngineOptions options, StoreInfo store) {
    return store.sharing() == StoreInfo.Sharing.SHARED ? options.forSharedStore() : options;
  }

  private static Incarnation incarnation(EngineOptions options) {
    Incarnation own = Incarnation.of(ProcessHandle.current());
    return options
        .processStart()
        .map(start -> new Incarnation(own.pid(), start.toEpochMilli()))
        .orElse(own);
  }

  private static boolean doClaimsWait(EngineOptions options) {
    return options.claimsAnswer() == EngineOptions.ClaimsAnswer.AFTER_COMMIT
        || options.leasesAtOpen() == EngineOptions.LeasesAtOpen.HONOUR;
  }
}
