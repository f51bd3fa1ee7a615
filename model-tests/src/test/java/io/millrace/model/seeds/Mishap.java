package io.millrace.model.seeds;

import io.millrace.spi.testkit.StoreCall;

/**
 * What goes wrong at one call of the store.
 *
 * @param index how many calls of its kind come before it, counted from when the mishap was armed
 * @param seconds how long a slow call takes
 */
public record Mishap(StoreCall call, int index, Kind kind, int seconds) {

  /** How a call goes wrong. */
  public enum Kind {
    /** It fails, and nothing happened. */
    FAILS_BEFORE,
    /** It fails, and whether it happened is seen at the next opening. */
    FAILS_IN_THE_MIDDLE,
    /** It fails, but it happened. */
    FAILS_AFTER,
    /** There is no room. */
    FULL,
    /** It takes its time. */
    SLOW,
    /** The power goes before it. */
    POWER_CUT_BEFORE,
    /** The power goes when it has happened, and before anybody hears of it. */
    POWER_CUT_AFTER,
    /** The process dies before it. */
    DEATH_BEFORE,
    /** The process dies when it has happened. */
    DEATH_AFTER
  }

  /** Whether the engine is poisoned or gone after it. A sync that finds no room has failed. */
  public boolean isFatal() {
    return kind != Kind.SLOW && (kind != Kind.FULL || call == StoreCall.SYNC);
  }

  public boolean isPowerCut() {
    return kind == Kind.POWER_CUT_BEFORE || kind == Kind.POWER_CUT_AFTER;
  }

  public boolean isDeath() {
    return kind == Kind.DEATH_BEFORE || kind == Kind.DEATH_AFTER;
  }
}
