package io.millrace.client;

import io.millrace.api.Durability;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.protocol.Call;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way from the handles of a server's queues to the server: makes calls, waits for answers or
 * gives them by future, and knows how durable changes are to be. Any thread.
 */
final class Caller {

  private final Client client;
  private final FunctionCalls functions;
  private final Optional<Durability> durability;

  /** The parts of a client that all of its callers share. */
  private record Client(
      Calls calls,
      HeldLeases leases,
      ClaimsAhead ahead,
      RemoteListenings listenings,
      RemoteTroubles troubles,
      LongSupplier nowNs) {}

  private Caller(Client client, FunctionCalls functions, Optional<Durability> durability) {
    this.client = client;
    this.functions = functions;
    this.durability = durability;
  }

  /**
   * Creates a caller whose changes are as durable as the server's engine makes them.
   *
   * @param nowNs the monotonic clock of this process, by which leases last
   */
  static Caller of(Calls calls, LongSupplier nowNs) {
    return of(calls, nowNs, 0);
  }

  /**
   * Creates a caller as above.
   *
   * @param claimsAhead how many jobs are claimed ahead of equal claims
   */
  static Caller of(Calls calls, LongSupplier nowNs, int claimsAhead) {
    Client client =
        new Client(
            calls,
            new HeldLeases(),
            new ClaimsAhead(claimsAhead, nowNs),
            new RemoteListenings(),
            new RemoteTroubles(calls, nowNs),
            nowNs);
    return new Caller(client, new FunctionCalls(), Optional.empty());
  }

  /** Returns a caller of the same server whose changes wait for this durability. */
  Caller with(Durability level) {
    return new Caller(client, functions, Optional.of(Objects.requireNonNull(level, "durability")));
  }

  /** Returns the leases that this client was granted and did not end. */
  HeldLeases leases() {
    return client.leases();
  }

  /** Returns the jobs that were claimed before they are asked for. */
  ClaimsAhead ahead() {
    return client.ahead();
  }

  /** Returns the threads that run functions of transactions. */
  FunctionCalls functions() {
    return functions;
  }

  /** Returns the listeners of the client, which end before its connection does. */
  RemoteListenings listenings() {
    return client.listenings();
  }

  /** Returns the troubles that workers of this process report. */
  RemoteTroubles troubles() {
    return client.troubles();
  }

  /** Returns a caller of the same server for what a transaction itself asks for its function. */
  Caller forFunctions() {
    return new Caller(client, new FunctionCalls(), durability);
  }

  /** Does work that may wait for answers; see {@link Calls#run}. */
  void run(Runnable work) {
    client.calls().run(work);
  }

  private <C extends Call<A>, A> CompletableFuture<A> send(C call) {
    functions.check(call);
    return client.calls().send(call);
  }

  /** Returns the monotonic clock of this process. */
  LongSupplier nowNs() {
    return client.nowNs();
  }

  /** Returns the durability of changes; empty for that of the server's engine. */
  Optional<Durability> durability() {
    return durability;
  }

  /** Tells whether both callers belong to the same server. */
  boolean isOfSameServer(Caller other) {
    return client == other.client;
  }

  /** Makes a call, and waits for the answer as {@link #await} does. */
  <C extends Call<A>, A> A ask(C call) {
    return await(send(call));
  }

  /**
   * Makes a call that changes nothing, and waits for the answer. The thread waits on if it is
   * interrupted, and keeps its interrupt status: a look into a store in this process would not be
   * interrupted, either.
   */
  <C extends Call<A>, A> A look(C call) {
    return waitedFor(send(call));
  }

  private static <T> T waitedFor(CompletableFuture<T> answer) {
    boolean wasInterrupted = false;
    try {
      while (true) {
        try {
          return value(answer);
        } catch (InterruptedException e) {
          wasInterrupted = true;
        }
      }
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Makes a call that is carried out whether anybody waits for it or not.
   *
   * @param told makes the caller's answer of the server's
   * @return a future that fails with the exception itself, and with what {@code told} throws
   */
  <C extends Call<A>, A, T extends @Nullable Object> CompletableFuture<T> later(
      C call, Function<A, T> told) {
    return new Answered<>(client.calls(), send(call), told, unwanted -> {});
  }

  /**
   * Makes a call that waits for something. Cancelling the future ends it.
   *
   * @param told makes the caller's answer of the server's
   * @param unwanted is given the answer that came when the future was cancelled already
   * @return a future as {@link #later} returns it
   */
  <C extends Call<A>, A, T> CompletableFuture<T> waiting(
      C call, Function<A, T> told, Consumer<T> unwanted) {
    return new Answered<>(client.calls(), send(call), told, unwanted).ending();
  }

  /**
   * Waits for the answer.
   *
   * @throws OutcomeUnknownException the thread was interrupted before; it keeps that status
   */
  static <T extends @Nullable Object> T await(CompletableFuture<T> answer) {
    return awaitOr(
        answer,
        () -> {
          throw new OutcomeUnknownException(
              "interrupted while waiting for the answer; the request may still be carried out");
        });
  }

  /** Waits for what a call waits for, and ends the call if the thread is interrupted before. */
  static <T> T awaitOrEnd(CompletableFuture<T> answer, T ifEnded) {
    return awaitOr(answer, () -> answer.cancel(false) ? ifEnded : waitedFor(answer));
  }

  private static <T extends @Nullable Object> T awaitOr(
      CompletableFuture<T> answer, Supplier<T> ifInterrupted) {
    try {
      return value(answer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ifInterrupted.get();
    }
  }

  private static <T extends @Nullable Object> T value(CompletableFuture<T> answer)
      throws InterruptedException {
    try {
      if (answer instanceof Answered<?, ?> answered) {
        answered.awaitAndMake();
      }
      return answer.get();
    } catch (ExecutionException e) {
      throw thrown(e);
    }
  }

  private static RuntimeException thrown(ExecutionException failed) {
    Throwable cause = failed.getCause();
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException exception
        ? exception
        : new IllegalStateException("answer failed: " + cause, failed);
  }
}
