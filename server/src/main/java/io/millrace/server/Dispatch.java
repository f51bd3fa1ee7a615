package io.millrace.server;

import io.millrace.api.ConnectedClient;
import io.millrace.api.EngineClosedException;
import io.millrace.api.JobQueues;
import io.millrace.protocol.ReadCalls;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations of the server by name, however their calls come. Says of each call whether the
 * caller may make it, and whether there is room for it. Any thread.
 */
final class Dispatch {

  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  /**
   * The most bytes of requests that are under way; one is always let in. An engine bears more: at
   * its own limit it would have the thread of a connection wait.
   */
  private static final long REQUEST_BYTES_MAX = 192L << 20;

  private final Map<String, Handler<?, ?>> handlers = new LinkedHashMap<>();
  private final Handler.Served served;
  private final HeldEnds ends = new HeldEnds(System::nanoTime);
  private final HeldListenings listenings = new HeldListenings(System::nanoTime);
  private final int callCountMax;
  private final Semaphore room;

  /** A part of the room: those who wait for jobs do not keep out who brings some. */
  private final Semaphore roomToWait;

  private final AtomicLong requestBytes = new AtomicLong();

  private final Set<CompletableFuture<Handler.Told>> waiting = ConcurrentHashMap.newKeySet();
  private volatile Supplier<List<ConnectedClient>> clients = List::of;
  private volatile boolean isClosed;

  /**
   * Creates the operations on these queues.
   *
   * @param threads for calls that block
   * @param slow for calls that block and take long
   * @param callCountMax how many calls may be under way at a time
   */
  Dispatch(JobQueues queues, Executor threads, Executor slow, int callCountMax) {
    this.served = new Handler.Served(queues, threads, slow, listenings);
    this.callCountMax = callCountMax;
    this.room = new Semaphore(callCountMax);
    this.roomToWait = new Semaphore(callCountMax - callCountMax / 10);
    List<Handler<?, ?>> all = new ArrayList<>(Handlers.all());
    all.addAll(new HeldQueues().handlers());
    all.addAll(new TransactionHandlers().all());
    all.addAll(ends.handlers());
    all.addAll(listenings.handlers());
    all.add(
        Handler.blocking(
            ReadCalls.Clients.class,
            Role.READ,
            (of, call) -> new ReadCalls.Clients.Answer(clients.get())));
    all.forEach(handler -> handlers.put(handler.operation().name(), handler));
  }

  /** Sets who is asked for the clients that are connected. */
  void clients(Supplier<List<ConnectedClient>> connected) {
    clients = connected;
  }

  /** Returns the handlers by the names of their operations. */
  Map<String, Handler<?, ?>> handlers() {
    return handlers;
  }

  /**
   * Carries out a call. If the future is completed or cancelled by somebody else, a call that waits
   * ends.
   *
   * @param request the call's message
   * @return a future of the answer; whatever goes wrong fails it
   */
  CompletableFuture<Handler.Told> carryOut(Handler<?, ?> handler, Rights rights, byte[] request) {
    if (isClosed) {
      return CompletableFuture.failedFuture(closed());
    }
    if (!tryEnter(handler, request.length)) {
      return CompletableFuture.failedFuture(new RejectedExecutionException("calls under way"));
    }
    CompletableFuture<Handler.Told> done;
    try {
      done = handler.carryOut(served, rights, request);
    } catch (RuntimeException | Error e) { // This is the thread of a connection.
      done = CompletableFuture.failedFuture(e);
    }
    CompletableFuture<Handler.Told> answered = givingRoom(handler, request.length, done);
    if (handler.isWaiting()) {
      waiting.add(answered);
      answered.whenComplete((told, thrown) -> waiting.remove(answered));
    }
    if (isClosed) {
      endWaiting(); // This one as well, if it came when the server was being closed.
    }
    return answered;
  }

  private boolean tryEnter(Handler<?, ?> handler, int bytes) {
    if (handler.isWaiting() && !roomToWait.tryAcquire()) {
      return false;
    }
    boolean hasRoom = room.tryAcquire();
    if (hasRoom && requestBytes.addAndGet(bytes) <= REQUEST_BYTES_MAX + bytes) {
      return true;
    }
    if (hasRoom) {
      requestBytes.addAndGet(-bytes);
      room.release();
    }
    if (handler.isWaiting()) {
      roomToWait.release();
    }
    return false;
  }

  private void leave(Handler<?, ?> handler, int bytes) {
    requestBytes.addAndGet(-bytes);
    room.release();
    if (handler.isWaiting()) {
      roomToWait.release();
    }
  }

  /** Returns a future of the same answer, before which there is room for another call. */
  private CompletableFuture<Handler.Told> givingRoom(
      Handler<?, ?> handler, int bytes, CompletableFuture<Handler.Told> done) {
    CompletableFuture<Handler.Told> answered = new CompletableFuture<>();
    done.whenComplete(
        (told, thrown) -> {
          leave(handler, bytes);
          if (thrown != null) {
            answered.completeExceptionally(thrown);
          } else if (!answered.complete(told)) {
            told.takeBack();
          }
        });
    answered.whenComplete(
        (told, thrown) -> {
          if (thrown != null) {
            done.cancel(false);
          }
        });
    return answered;
  }

  /**
   * Refuses calls from now on, ends those that wait, and waits for the others.
   *
   * @param mostMs for how long, in milliseconds
   */
  void close(long mostMs) throws InterruptedException {
    isClosed = true;
    endWaiting();
    ends.close();
    listenings.close();
    if (room.tryAcquire(callCountMax, mostMs, TimeUnit.MILLISECONDS)) {
      room.release(callCountMax); // It may be closed twice.
    } else {
      LOG.warn(
          "server is closed while calls are under way: their callers are not told the outcome");
    }
  }

  private void endWaiting() {
    waiting.forEach(call -> call.completeExceptionally(closed()));
  }

  private static EngineClosedException closed() {
    return new EngineClosedException("server is closed; nothing of this call happened");
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
