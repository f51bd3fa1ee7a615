package io.millrace.model.outage;

import io.millrace.model.seeds.Mishap;
import io.millrace.spi.testkit.FaultyStore.Room;
import java.util.List;

/** One step of a seeded history. */
sealed interface SeededStep {

  /**
   * A call.
   *
   * @param isTogether whether it is made before the loop has seen the call of the step before
   */
  record Ask(SeededCall call, boolean isTogether) implements SeededStep {}

  /** Something goes wrong in the next step in which the loop works. */
  record Arm(Mishap mishap, Revival revival) implements SeededStep {}

  /** Time passes. */
  record Pass(int seconds) implements SeededStep {}

  /** The engine ends while nothing is under way. */
  record Stop(End end, Revival revival) implements SeededStep {}

  /** The disk has room for these from now on; for {@link Room#FOR_NONE} for one step only. */
  record MakeRoom(Room room) implements SeededStep {}

  /** Everything is compared. */
  record Check() implements SeededStep {}

  /** How an engine ends. */
  enum End {
    /** It is closed. */
    CLOSED,
    /** Its process dies: what was written stays. */
    DEATH,
    /** The power goes: what was synced stays. */
    POWER_CUT,
    /** It goes on in the same process, after a failure only: what was written stays. */
    REOPENED
  }

  /**
   * How the store comes back.
   *
   * @param end how the engine ended, if what went wrong does not say
   * @param mishaps what goes wrong in each attempt to open it again before the one that succeeds;
   *     at a {@link End#CLOSED} end the first are those of closing
   */
  record Revival(End end, List<List<Mishap>> mishaps) {}
}
