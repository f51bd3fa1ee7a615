package io.millrace.client;

import io.millrace.api.EngineClosedException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.protocol.BatchCalls;
import io.millrace.protocol.Call;
import io.millrace.protocol.JobCalls;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.ListenCalls;
import io.millrace.protocol.NotedCalls;
import io.millrace.protocol.Operation;
import io.millrace.protocol.QueueCalls;
import io.millrace.protocol.Session;
import io.millrace.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A call on its way to the server and back. The connection guards what changes of it.
 *
 * @param <A> the answer
 */
final class AskedCall<C extends Call<A>, A> {

  private final Operation<C, A> operation;
  private final byte[] request;
  private final CompletableFuture<A> answer = new CompletableFuture<>();
  private final long deadlineNs;
  private final boolean hasDeadline;
  private final boolean isWaiting;
  private long id;
  private boolean wasSent;

  /**
   * Creates a call that is yet to be sent.
   *
   * @param nowNs the time by {@link System#nanoTime}
   * @param most how long the caller waits for an answer, beside what the call itself waits
   */
  AskedCall(Operation<C, A> operation, C call, long nowNs, Duration most) {
    this.operation = operation;
    this.request = operation.encode(call);
    Duration waiting = waiting(call);
    this.hasDeadline = !(call instanceof JobCalls.Await || call instanceof BatchCalls.AwaitBatch);
    this.isWaiting = !hasDeadline || !waiting.isZero();
    this.deadlineNs = nowNs + most.plus(waiting).toNanos();
  }

  /** Returns how long a call may wait for what is yet to happen. */
  private static Duration waiting(Call<?> call) {
    if (call instanceof LeaseCalls.Claim claim) {
      return claim.options().waiting();
    }
    if (call instanceof ListenCalls.NextEvents next) {
      return next.waiting();
    }
    if (call instanceof NotedCalls.Serve serve) {
      return serve.waiting();
    }
    return call instanceof QueueCalls.ClaimLeased claim ? claim.options().waiting() : Duration.ZERO;
  }

  CompletableFuture<A> answer() {
    return answer;
  }

  /** Tells whether the call waits for something that has yet to happen. */
  boolean isWaiting() {
    return isWaiting;
  }

  boolean isRepeatable() {
    return operation.isRepeatable();
  }

  /** Tells whether nobody waits for the answer any more. */
  boolean isDone() {
    return answer.isDone();
  }

  long id() {
    return id;
  }

  /** Gives the call its number, by which the server knows it; another one if it is made anew. */
  void number(long value) {
    id = value;
  }

  int bytes() {
    return request.length;
  }

  /** Returns the call as it is sent. From now on nobody knows whether the server has it. */
  Session.SentCall sent() {
    wasSent = true;
    return new Session.SentCall(id, operation.name(), request);
  }

  boolean isLate(long nowNs) {
    return hasDeadline && nowNs - deadlineNs >= 0;
  }

  /**
   * Ends the call with what the server answered.
   *
   * @return false if nobody takes the answer: the server may take back what it gave
   */
  boolean complete(Session.Answer told) {
    if (told.failure().isPresent()) {
      Session.Failure failure = told.failure().get();
      return fail(Failures.exception(failure.error(), failure.message()));
    }
    A value;
    try {
      value = operation.decodeAnswer(told.response().orElseGet(() -> new byte[0]));
    } catch (RuntimeException e) {
      fail(
          new OutcomeUnknownException(
              "the answer cannot be read, the server may be of another version: call="
                  + operation.name()
                  + ": "
                  + e.getMessage(),
              e));
      return false; // Jobs that it gave, others may be able to read.
    }
    return answer.complete(value);
  }

  /** Ends a call that the client's end leaves unmade. */
  void refuse() {
    fail(new EngineClosedException("client is closed; nothing of this call happened"));
  }

  boolean fail(RuntimeException thrown) {
    return answer.completeExceptionally(thrown);
  }

  /**
   * Returns why the call ends without an answer.
   *
   * @param why what became of the connection
   */
  RuntimeException unanswered(String why) {
    return wasSent
        ? new OutcomeUnknownException(
            "no answer came; the call may have been carried out, or still be: call="
                + operation.name()
                + ": "
                + why)
        : new StoreUnavailableException(
            "no server was reached; nothing of the call happened: call="
                + operation.name()
                + ": "
                + why);
  }
}
