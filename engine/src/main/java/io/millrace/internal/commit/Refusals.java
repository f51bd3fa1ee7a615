package io.millrace.internal.commit;

import io.millrace.api.EngineClosedException;
import io.millrace.api.EnginePoisonedException;
import io.millrace.api.NotOwnerException;
import io.millrace.internal.state.BatchLimits;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.WriteBatch;
import org.jspecify.annotations.Nullable;

/** The exceptions for callers whose requests the engine does not take up. */
final class Refusals {

  private Refusals() {}

  static EngineClosedException closed() {
    return new EngineClosedException("engine is closed; nothing happened");
  }

  static EngineClosedException closedBeforeTheEnd() {
    return new EngineClosedException(
        "engine was closed before the job's end was known and durable; ask for the job again when"
            + " the store is open");
  }

  static IllegalStateException blocking() {
    return new IllegalStateException(
        "call would wait on the engine's own thread, which completes futures and tells listeners;"
            + " nothing happened, call its asynchronous form or give the engine an executor with"
            + " EngineOptions.futureExecutor");
  }

  static EnginePoisonedException poisoned(Throwable cause) {
    return new EnginePoisonedException(
        "engine is poisoned by an earlier failure of its store; nothing happened, reopen it",
        cause);
  }

  static NotOwnerException notOwner(Throwable cause) {
    return new NotOwnerException(
        "another owner has taken the engine's store over; nothing happened, ask it there, or reopen"
            + " the engine when the store is free",
        cause);
  }

  static StoreFullException full(@Nullable Throwable cause) {
    return new StoreFullException(
        "store is full; nothing happened. Complete, cancel or delete jobs, raise storeBytesMax, or"
            + " make room on the disk",
        cause);
  }

  static IllegalArgumentException tooLarge(WriteBatch batch, BatchLimits most) {
    return new IllegalArgumentException(
        "call is too large for one commit of this store: row operations="
            + batch.size()
            + ", most="
            + most.operationCountMax()
            + ", bytes="
            + batch.bytes()
            + ", most="
            + most.bytesMax()
            + "; nothing happened, give fewer or smaller jobs in a call");
  }
}
