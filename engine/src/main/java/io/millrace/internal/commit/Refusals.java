package io.millrace.internal.commit;

import io.millrace.api.EngineClosedException;
import io.millrace.api.EnginePoisonedException;
import io.millrace.spi.StoreFullException;
import org.jspecify.annotations.Nullable;

/** What callers are told whose requests the engine does not take up. */
final class Refusals {

  private Refusals() {}

  static EngineClosedException closed() {
    return new EngineClosedException("engine is closed; nothing happened");
  }

  static EnginePoisonedException poisoned(Throwable cause) {
    return new EnginePoisonedException(
        "engine is poisoned by an earlier failure of its store; nothing happened, reopen it",
        cause);
  }

  static StoreFullException full(@Nullable Throwable cause) {
    return new StoreFullException(
        "store is full; nothing happened. Complete, cancel or delete jobs, raise storeBytesMax, or"
            + " make room on the disk",
        cause);
  }

  static IllegalArgumentException tooLarge(int operations, int most) {
    return new IllegalArgumentException(
        "call is too large for one commit: row operations="
            + operations
            + ", most="
            + most
            + "; nothing happened, give fewer jobs in a call");
  }
}
