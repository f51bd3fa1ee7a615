package io.millrace.model.outage;

import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.Limits;
import io.millrace.model.rig.Setup;
import io.millrace.spi.StoreInfo.Syncing;
import java.time.Duration;

/** What a seeded history's engine and machine are like. */
record SeededSetup(
    Durability durability,
    ClaimsAnswer claimsAnswer,
    LeasesAtOpen leasesAtOpen,
    Setup.Loading loading,
    Syncing syncing,
    int syncIntervalMs) {

  private static final int RING_SIZE = 64;

  EngineOptions options(EngineOptions base) {
    return new Setup(durability, claimsAnswer, leasesAtOpen, loading)
        .changed(base)
        .ringSize(RING_SIZE)
        .bufferedSyncInterval(Duration.ofMillis(syncIntervalMs))
        .overloadWait(Limits.DELAY_MAX);
  }
}
