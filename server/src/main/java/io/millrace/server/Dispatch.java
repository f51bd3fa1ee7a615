package io.millrace.server;

import io.millrace.api.JobQueues;
import io.millrace.protocol.Call;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations of the server by name, however their calls come. Says of each call whether the
 * caller may make it, and whether there is room for it. Any thread.
 */
final class Dispatch {

  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private final Map<String, Handler<?, ?>> handlers = new LinkedHashMap<>();
  private final Handler.Served served;
  private final Semaphore room;

  /**
   * Creates the operations on these queues.
   *
   * @param threads for calls that block
   * @param callCountMax how many calls may be under way at a time
   */
  Dispatch(JobQueues queues, Executor threads, int callCountMax) {
    this.served = new Handler.Served(queues, threads);
    this.room = new Semaphore(callCountMax);
    List<Handler<?, ?>> all = new ArrayList<>(Handlers.all());
    all.addAll(new HeldQueues().handlers());
    all.forEach(handler -> handlers.put(handler.operation().name(), handler));
  }

  /** Returns the handlers by the names of their operations. */
  Map<String, Handler<?, ?>> handlers() {
    return handlers;
  }

  /**
   * Carries out a call. Cancelling the future ends its waiting.
   *
   * @param request the call's message
   * @return a future of the answer's message; whatever goes wrong fails it
   */
  <C extends Call<A>, A> CompletableFuture<byte[]> carryOut(
      Handler<C, A> handler, Set<Role> roles, byte[] request) {
    if (!roles.contains(handler.role())) {
      return CompletableFuture.failedFuture(
          new RefusedException(
              "the token does not allow this call: call="
                  + handler.operation().name()
                  + ", role="
                  + handler.role()
                  + ", roles of the token="
                  + roles));
    }
    if (!room.tryAcquire()) {
      return CompletableFuture.failedFuture(
          new java.util.concurrent.RejectedExecutionException("calls under way"));
    }
    CompletableFuture<byte[]> answered;
    try {
      answered =
          Handlers.ending(
              handler.carryOut(served, handler.operation().decode(request)),
              handler.operation()::encodeAnswer);
    } catch (RuntimeException e) {
      answered = CompletableFuture.failedFuture(e);
    }
    answered.whenComplete((told, thrown) -> room.release());
    return answered;
  }

  /** Returns what the caller is told of a failed call, which is logged if it is a fault of ours. */
  Failure failure(Handler<?, ?> handler, Throwable thrown) {
    Failure failure = Failure.of(thrown);
    if (failure.isOurs()) {
      LOG.error("call failed: call={}", handler.operation().name(), thrown);
    }
    return failure;
  }
}
