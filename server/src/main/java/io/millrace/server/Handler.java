package io.millrace.server;

import io.millrace.api.JobQueues;
import io.millrace.protocol.Call;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/**
 * An operation of the protocol as the server carries it out. Any thread.
 *
 * @param role the role that a caller needs
 */
record Handler<C extends Call<A>, A>(
    Operation<C, A> operation, Role role, BiFunction<Served, C, CompletableFuture<A>> work) {

  /** The queues that are served, and threads for calls that block. */
  record Served(JobQueues queues, Executor threads) {}

  /** Returns a handler of calls that give a future themselves. */
  static <C extends Call<A>, A> Handler<C, A> later(
      Class<C> call, Role role, BiFunction<JobQueues, C, CompletableFuture<A>> work) {
    return new Handler<>(
        Protocol.of(call), role, (served, asked) -> work.apply(served.queues, asked));
  }

  /** Returns a handler of calls that block, on a thread of the server's. */
  static <C extends Call<A>, A> Handler<C, A> blocking(
      Class<C> call, Role role, BiFunction<JobQueues, C, A> work) {
    return new Handler<>(
        Protocol.of(call),
        role,
        (served, asked) ->
            CompletableFuture.supplyAsync(() -> work.apply(served.queues, asked), served.threads));
  }

  /**
   * Carries out a call.
   *
   * @throws RuntimeException the call is refused at once
   */
  CompletableFuture<A> carryOut(Served served, C call) {
    return work.apply(served, call);
  }
}
