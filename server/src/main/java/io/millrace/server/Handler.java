package io.millrace.server;

import io.millrace.api.JobQueues;
import io.millrace.protocol.Call;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * An operation of the protocol as the server carries it out. Any thread.
 *
 * @param role the role that a caller needs
 * @param isWaiting whether a call may wait for something that has yet to happen, and changes
 *     nothing if it ends before
 */
record Handler<C extends Call<A>, A>(
    Operation<C, A> operation,
    Role role,
    boolean isWaiting,
    BiFunction<Served, C, CompletableFuture<A>> work) {

  /** The queues that are served, and threads for calls that block. */
  record Served(JobQueues queues, Executor threads) {}

  /** Returns a handler of calls that give a future themselves. */
  static <C extends Call<A>, A> Handler<C, A> later(
      Class<C> call, Role role, BiFunction<JobQueues, C, CompletableFuture<A>> work) {
    return new Handler<>(
        Protocol.of(call), role, false, (served, asked) -> work.apply(served.queues, asked));
  }

  /**
   * Returns a handler of calls that wait by a future.
   *
   * @param answer makes the answer of what the future brings
   */
  static <C extends Call<A>, S, A> Handler<C, A> waiting(
      Class<C> call,
      Role role,
      BiFunction<JobQueues, C, CompletableFuture<S>> work,
      Function<S, A> answer) {
    return new Handler<>(
        Protocol.of(call),
        role,
        true,
        (served, asked) -> ending(work.apply(served.queues, asked), answer));
  }

  /** Returns a handler of calls that block, on a thread of the server's. */
  static <C extends Call<A>, A> Handler<C, A> blocking(
      Class<C> call, Role role, BiFunction<JobQueues, C, A> work) {
    return new Handler<>(
        Protocol.of(call),
        role,
        false,
        (served, asked) ->
            CompletableFuture.supplyAsync(() -> work.apply(served.queues, asked), served.threads));
  }

  /**
   * Carries out a call. If the future is completed or cancelled by somebody else, a call that waits
   * ends.
   *
   * @param request the call's message
   * @return a future of the answer's message
   * @throws RuntimeException the call is refused at once
   */
  CompletableFuture<byte[]> carryOut(Served served, byte[] request) {
    return ending(work.apply(served, operation.decode(request)), operation::encodeAnswer);
  }

  /** Returns a future of what comes of another's value, whose end ends the other as well. */
  private static <S, A> CompletableFuture<A> ending(
      CompletableFuture<S> of, Function<S, A> answer) {
    CompletableFuture<A> answered = of.thenApply(answer);
    answered.whenComplete(
        (told, thrown) -> {
          if (thrown != null) {
            of.cancel(false);
          }
        });
    return answered;
  }
}
