package io.millrace.client;

import io.millrace.MillraceException;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.protocol.Call;
import io.millrace.protocol.ListenCalls.EndListen;
import io.millrace.protocol.ListenCalls.Listen;
import io.millrace.protocol.ListenCalls.Missed;
import io.millrace.protocol.ListenCalls.NextEvents;
import io.millrace.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The asking for a listener's events, one call after the other, on a thread of its own.
 *
 * <p>What was received is confirmed by the next call, so that no event is lost or comes twice
 * whatever becomes of the answers. If the server does not know the listening any more, another one
 * is begun there, or at its next server. What happened between the two nobody knows: the listener
 * is told of one missed event in place of it.
 */
final class EventAsking {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteListening.class);

  /** The time after which nothing more comes of what has happened. */
  private static final Duration REST_WAITING = Duration.ofMillis(100);

  /** The time that the server has for an answer when the listener is closed. */
  private static final long REST_ANSWER_MS = 1_000;

  private static final long BACKOFF_MS = 50;
  private static final int DOUBLED_COUNT_MAX = 5;

  /** The failures of a server that is away, is being replaced, or has too much to do. */
  private static final Set<Class<? extends MillraceException>> PASSING =
      Set.of(
          StoreUnavailableException.class,
          OutcomeUnknownException.class,
          EngineClosedException.class,
          EngineOverloadedException.class);

  private final Caller caller;
  private final Listen call;
  private final Duration waiting;
  private final EventLine line;

  /** The listening's name; null if the server does not know it any more. For the asking thread. */
  private @Nullable String id;

  private long received;
  private int failureCount;

  /** The call under way. Guarded by this. */
  private @Nullable CompletableFuture<?> asked;

  /**
   * Creates an asking that is yet to begin.
   *
   * @param waiting for how long a call waits, and after what time the server is asked in any case
   */
  EventAsking(Caller caller, Listen call, Duration waiting, EventLine line) {
    this.caller = caller;
    this.call = call;
    this.waiting = waiting;
    this.line = line;
  }

  /** Begins to listen at the server; before the thread is started. */
  void begin() {
    id = caller.look(call).id();
  }

  /** Ends the asking. */
  void end(EventLine.End value) {
    line.end(value);
    synchronized (this) {
      if (asked != null) {
        asked.cancel(false);
      }
    }
  }

  /** Asks until the end, and then says at the server that it is one. */
  void run() {
    try {
      while (line.end() == EventLine.End.NOT_YET) {
        goOn();
      }
      askForTheRest();
    } finally {
      line.complete();
      endAtServer();
    }
  }

  private void goOn() {
    try {
      if (id == null) {
        if (line.awaitRoom(waiting.toMillis()) == 0) {
          return;
        }
        id = ask(call, EventLine.End.NOT_YET).id();
        received = 0;
        line.put(List.of(new Missed(1)));
      }
      next(id, waiting, EventLine.End.NOT_YET);
      failureCount = 0;
    } catch (RuntimeException | Error e) {
      if (line.end() == EventLine.End.NOT_YET) {
        note(e);
        line.pauseUnlessEnded(backoffMs());
      }
    }
  }

  private static boolean isUnknown(Throwable thrown) {
    // What cannot be read, or what the server takes for wrong, is no better when it is asked again.
    return thrown instanceof NoSuchListeningException
        || thrown instanceof IllegalArgumentException
        || thrown.getCause() instanceof IllegalArgumentException;
  }

  private void note(Throwable thrown) {
    boolean isUnknown = isUnknown(thrown);
    if (failureCount == 0 && isUnknown) {
      LOG.warn("a job listener misses events, it is begun anew: {}", thrown.getMessage());
    } else if (failureCount == 0 && !PASSING.contains(thrown.getClass())) {
      LOG.warn("events of a job listener cannot be had now; trying again", thrown);
    }
    failureCount++;
    if (isUnknown) {
      id = null;
    }
  }

  private long backoffMs() {
    long most = BACKOFF_MS << Math.min(failureCount, DOUBLED_COUNT_MAX);
    return ThreadLocalRandom.current().nextLong(most / 2, most + 1);
  }

  /**
   * Asks for the next events, or only says that somebody listens, if there is no room for any.
   *
   * @return false if there is none
   */
  private boolean next(String of, Duration wait, EventLine.End during) {
    int most = line.awaitRoom(waiting.toMillis());
    NextEvents.Answer answer =
        ask(
            new NextEvents(of, received, OptionalInt.of(most), most == 0 ? Duration.ZERO : wait),
            during);
    line.put(answer.events());
    received = answer.last();
    return most == 0 || !answer.events().isEmpty();
  }

  private <C extends Call<A>, A> A ask(C next, EventLine.End during) {
    CompletableFuture<A> answer = caller.waiting(next, Function.identity(), unwanted -> {});
    synchronized (this) {
      asked = answer;
    }
    if (during != EventLine.End.NOT_YET) {
      answer.orTimeout(REST_ANSWER_MS, TimeUnit.MILLISECONDS);
    }
    if (line.end() != during) {
      answer.cancel(false); // Whoever set the end may have seen the call before.
    }
    return Caller.await(answer);
  }

  /** Asks for what the server has for the listener, if he is to be told all that happened. */
  private void askForTheRest() {
    String of = id;
    try {
      while (of != null
          && line.end() == EventLine.End.WHEN_TOLD
          && next(of, REST_WAITING, EventLine.End.WHEN_TOLD)) {}
    } catch (RuntimeException e) {
      LOG.debug("last events of a job listener cannot be had", e);
    }
  }

  private void endAtServer() {
    String of = id;
    if (of == null) {
      return;
    }
    try {
      var unused = ask(new EndListen(of), line.end());
    } catch (RuntimeException e) {
      LOG.debug("the server is not told that a job listener is closed; it will find out", e);
    }
  }
}
