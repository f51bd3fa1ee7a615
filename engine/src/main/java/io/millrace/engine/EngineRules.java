package io.millrace.engine;

import io.millrace.api.EngineOptions;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.internal.format.Incarnation;
import io.millrace.internal.state.BatchLimits;
import io.millrace.internal.state.Rules;
import io.millrace.internal.state.WorkingSet;
import io.millrace.spi.StoreInfo;
import java.util.Optional;

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

  /**
   * Returns the options as they apply on the store. One that another owner may take over at any
   * moment honours leases, because their workers may be anywhere, answers claims after their
   * commit, which proves that nobody has taken it over, and may be out of reach, so that calls end.
   *
   * @throws IllegalArgumentException one of these options was set to its other value
   */
  static EngineOptions fitting(EngineOptions options, StoreInfo store) {
    if (store.sharing() != StoreInfo.Sharing.SHARED) {
      return options;
    }
    requireShared("leasesAtOpen", options.leasesAtOpen(), LeasesAtOpen.HONOUR);
    requireShared("claimsAnswer", options.claimsAnswer(), ClaimsAnswer.AFTER_COMMIT);
    return options
        .leasesAtOpen(LeasesAtOpen.HONOUR)
        .claimsAnswer(ClaimsAnswer.AFTER_COMMIT)
        .callTimeout(options.callTimeout().orElse(EngineOptions.SHARED_CALL_TIMEOUT));
  }

  private static <E extends Enum<E>> void requireShared(String what, Optional<E> value, E needed) {
    if (value.orElse(needed) != needed) {
      throw new IllegalArgumentException(
          what
              + " does not fit a store that several owners share: value="
              + value.orElseThrow()
              + ", needed="
              + needed
              + "; leave it out");
    }
  }

  private static Incarnation incarnation(EngineOptions options) {
    Incarnation own = Incarnation.of(ProcessHandle.current());
    return options
        .forTests()
        .processStart()
        .map(start -> new Incarnation(own.pid(), start.toEpochMilli()))
        .orElse(own);
  }

  private static boolean doClaimsWait(EngineOptions options) {
    return options.claimsAnswer().equals(Optional.of(ClaimsAnswer.AFTER_COMMIT))
        || options.leasesAtOpen().equals(Optional.of(LeasesAtOpen.HONOUR));
  }
}
