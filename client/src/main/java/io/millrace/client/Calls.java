package io.millrace.client;

import io.millrace.protocol.Call;
import java.util.concurrent.CompletableFuture;

/** The calls of a server, as its client makes them. Any thread. */
interface Calls {
  /**
   * Sends a call. A cancelled future ends a call that waits.
   *
   * @return a future of the answer; it fails with the exception that the engine would have thrown.
   *     It is completed on the thread of the connection, which must not be held up
   */
  <C extends Call<A>, A> CompletableFuture<A> send(C call);

  /** Does what users do with answers, who may wait for other calls there. */
  default void run(Runnable work) {
    work.run();
  }
}
