package io.millrace.model.rig;

import io.millrace.api.Durability;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineOptions;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.Limits;
import java.time.Duration;
import java.util.List;

/**
 * What a history's engine is opened with.
 *
 * @param loading whether queues leave the memory when they are idle; wall-clock steps are left out
 *     then, for the delays of an unloaded queue run on engine time
 */
public record Setup(
    Durability durability, ClaimsAnswer claimsAnswer, LeasesAtOpen leasesAtOpen, Loading loading) {

  /** How long queues stay loaded. */
  public enum Loading {
    ALWAYS,
    WHILE_USED
  }

  /** The defaults of the engine. */
  public static final Setup DEFAULT =
      new Setup(
          Durability.SYNCED, ClaimsAnswer.BEFORE_COMMIT, LeasesAtOpen.RECLAIM, Loading.ALWAYS);

  /**
   * Options under which nothing happens but by the operations of a test and the movements of its
   * clock.
   */
  public EngineOptions options(EngineClock clock) {
    return changed(
        EngineOptions.DEFAULT
            .clock(clock)
            .forTests(tests -> tests.randomSeed(7))
            .reopenAfter(List.of()));
  }

  /** The options with what this says. */
  public EngineOptions changed(EngineOptions options) {
    return options
        .durability(durability)
        .claimsAnswer(claimsAnswer)
        .leasesAtOpen(leasesAtOpen)
        .windowBytesMax(EngineOptions.WINDOW_BYTES_LEAST)
        .queueIdle(loading == Loading.ALWAYS ? Limits.DELAY_MAX : Duration.ofSeconds(2))
        .emptyQueueKept(Limits.DELAY_MAX)
        .stallThreshold(Limits.DELAY_MAX);
  }

  public Setup withDurability(Durability value) {
    return new Setup(value, claimsAnswer, leasesAtOpen, loading);
  }

  public Setup withClaimsAnswer(ClaimsAnswer value) {
    return new Setup(durability, value, leasesAtOpen, loading);
  }

  public Setup withLeasesAtOpen(LeasesAtOpen value) {
    return new Setup(durability, claimsAnswer, value, loading);
  }
}
