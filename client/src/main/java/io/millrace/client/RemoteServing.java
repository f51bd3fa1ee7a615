package io.millrace.client;

import io.millrace.api.EngineClosedException;
import io.millrace.api.QueueName;
import io.millrace.protocol.NotedCalls;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The notice that a worker of this process serves queues: a call that waits, so that the notice
 * ends with this client, and is made again and again. Any thread.
 */
final class RemoteServing implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteServing.class);

  private static final Duration WAITING = Duration.ofMinutes(10);

  /** The time after which a call that failed is made again. */
  private static final Duration REST = Duration.ofMinutes(1);

  private final Caller caller;
  private final NotedCalls.Serve call;
  private final Duration rest;
  private @Nullable CompletableFuture<?> waiting;
  private boolean isOver;

  private RemoteServing(Caller caller, NotedCalls.Serve call, Duration rest) {
    this.caller = caller;
    this.call = call;
    this.rest = rest;
  }

  /** Gives the notice until the returned one is closed. */
  static RemoteServing begin(
      Caller caller, Collection<QueueName> queues, Collection<String> tenantsOf) {
    return begin(
        caller, new NotedCalls.Serve(List.copyOf(queues), List.copyOf(tenantsOf), WAITING), REST);
  }

  /** Makes this call until the returned one is closed, and rests so long after each failure. */
  static RemoteServing begin(Caller caller, NotedCalls.Serve call, Duration rest) {
    RemoteServing serving = new RemoteServing(caller, call, rest);
    serving.ask();
    return serving;
  }

  private synchronized void ask() {
    if (!isOver) {
      CompletableFuture<?> asked = caller.waiting(call, answer -> answer, unwanted -> {});
      waiting = asked;
      asked.whenComplete((answer, thrown) -> goOn(thrown));
    }
  }

  private synchronized void goOn(@Nullable Throwable thrown) {
    if (thrown == null) {
      ask();
    } else if (!isOver && !(thrown instanceof EngineClosedException)) { // else client is closed
      LOG.debug("server was not told who serves queues: {}", call, thrown);
      CompletableFuture.delayedExecutor(rest.toMillis(), TimeUnit.MILLISECONDS).execute(this::ask);
    }
  }

  /** Takes the notice back. */
  @Override
  public synchronized void close() {
    isOver = true;
    if (waiting != null) {
      waiting.cancel(false);
    }
  }
}
