package io.millrace.server;

import io.millrace.api.JobEvent;
import io.millrace.api.JobListener;
import io.millrace.api.JobListening;
import io.millrace.api.QueueName;
import io.millrace.protocol.HeardEvent;
import io.millrace.protocol.ListenCalls.Happened;
import io.millrace.protocol.ListenCalls.ListenedEvent;
import io.millrace.protocol.ListenCalls.Missed;
import io.millrace.protocol.ListenCalls.NextEvents;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A listener of the queues that keeps events for a caller until he has received them. Any thread.
 *
 * <p>It keeps few, and lets the queues wait with the next ones on its own thread: they keep as many
 * as they do for each listener, and count and tell what a slow one misses, here as everywhere.
 *
 * <p>Events are numbered from 1 in the order in which they come. A call confirms those up to a
 * number, and only they are forgotten: others are told again if an answer is lost.
 */
final class HeldListening implements JobListener {

  /** The time for which a listening goes on about which nobody asks. */
  static final long KEPT_NS = TimeUnit.MINUTES.toNanos(1);

  /** The most events that are kept here: those of an answer under way, and of the next one. */
  static final int COUNT_MAX = 2 * NextEvents.COUNT_MAX;

  /** The time after which one that is full looks whether it has been forgotten. */
  private static final long LOOK_MS = 1_000;

  private final Optional<QueueName> queue;
  private final Set<JobEvent.Kind> kinds;
  private final LongSupplier nowNs;
  private final Runnable forgetUnasked;

  // Guarded by this:
  private final Deque<ListenedEvent> kept = new ArrayDeque<>();
  private @Nullable CompletableFuture<NextEvents.Answer> waiting;
  private @Nullable JobListening listening;
  private long confirmed;
  private long lastTold;
  private long askedNs;
  private boolean isEnded;

  /**
   * Creates a listener that is not told anything yet.
   *
   * @param queue the queue to which it listens; empty if to all
   * @param forgetUnasked ends the listenings about which nobody asks, from time to time
   */
  HeldListening(
      Optional<QueueName> queue,
      Set<JobEvent.Kind> kinds,
      LongSupplier nowNs,
      Runnable forgetUnasked) {
    this.queue = queue;
    this.kinds = Set.copyOf(kinds);
    this.nowNs = nowNs;
    this.forgetUnasked = forgetUnasked;
    this.askedNs = nowNs.getAsLong();
  }

  Optional<QueueName> queue() {
    return queue;
  }

  /** Takes what ends the telling, once that has begun. */
  synchronized void begun(JobListening by) {
    listening = by;
  }

  @Override
  public void happened(JobEvent event) {
    if (kinds.contains(event.kind())) {
      keep(new Happened(HeardEvent.of(event)));
    }
  }

  @Override
  public void missed(long count) {
    keep(new Missed(count));
  }

  /** Keeps an event. Waits for room, if there is none, until the listening is ended. */
  private void keep(ListenedEvent next) {
    do {
      forgetUnasked.run();
    } while (!isKept(next));
  }

  private boolean isKept(ListenedEvent next) {
    CompletableFuture<NextEvents.Answer> told;
    NextEvents.Answer answer;
    synchronized (this) {
      if (!isEnded && kept.size() >= COUNT_MAX) {
        awaitRoom();
      }
      if (isEnded) {
        return true; // Nobody wants it.
      }
      if (kept.size() >= COUNT_MAX) {
        return false;
      }
      kept.addLast(next);
      told = waiting;
      if (told == null) {
        return true;
      }
      waiting = null;
      answer = first(NextEvents.COUNT_MAX);
    }
    told.complete(answer);
    return true;
  }

  private void awaitRoom() {
    try {
      wait(LOOK_MS);
    } catch (InterruptedException e) {
      // Nobody but the listening's end ends this thread, and no event may be lost before.
      return;
    }
  }

  /** Returns the first events that are kept. */
  private NextEvents.Answer first(int most) {
    List<ListenedEvent> events = new ArrayList<>(Math.min(most, kept.size()));
    for (ListenedEvent event : kept) {
      if (events.size() == most) {
        break;
      }
      events.add(event);
    }
    long last = confirmed + events.size();
    lastTold = Math.max(lastTold, last);
    return new NextEvents.Answer(last, events);
  }

  /**
   * Returns a future of the next events.
   *
   * @param after the number of the last event that was received
   * @throws NoSuchListeningException the listening has ended
   * @throws IllegalArgumentException no such event was told
   */
  CompletableFuture<NextEvents.Answer> next(long after, int most, Duration wait) {
    NextEvents.Answer nothing = new NextEvents.Answer(after, List.of());
    CompletableFuture<NextEvents.Answer> next = new CompletableFuture<>();
    CompletableFuture<NextEvents.Answer> overtaken;
    synchronized (this) {
      if (isEnded) {
        throw new NoSuchListeningException();
      }
      if (after > lastTold || after < 0) {
        throw new IllegalArgumentException(
            "no such event was told: after=" + after + ", last=" + lastTold);
      }
      if (after < confirmed) {
        return CompletableFuture.completedFuture(nothing); // Its caller has asked again since.
      }
      askedNs = nowNs.getAsLong();
      confirm(after);
      overtaken = waiting;
      waiting = null;
      if (most > 0 && !kept.isEmpty()) {
        next.complete(first(most));
      } else if (most == 0 || wait.isZero()) {
        next.complete(nothing);
      } else {
        waiting = next;
      }
    }
    if (overtaken != null) {
      overtaken.complete(nothing);
    }
    if (!next.isDone()) {
      next.completeOnTimeout(nothing, wait.toMillis(), TimeUnit.MILLISECONDS);
      next.whenComplete((answer, thrown) -> asked(next));
    }
    return next;
  }

  private void confirm(long after) {
    for (; confirmed < after; confirmed++) {
      kept.removeFirst();
    }
    notifyAll();
  }

  /** Notes that a call does not wait any more. */
  private synchronized void asked(CompletableFuture<NextEvents.Answer> call) {
    askedNs = nowNs.getAsLong();
    if (waiting == call) {
      waiting = null;
    }
  }

  /** Tells whether nobody has asked for so long that nobody will. */
  synchronized boolean isForgotten(long now) {
    return waiting == null && now - askedNs > KEPT_NS;
  }

  /** Ends the listening. Idempotent. */
  void end() {
    CompletableFuture<NextEvents.Answer> last;
    JobListening of;
    synchronized (this) {
      isEnded = true;
      kept.clear();
      last = waiting;
      of = listening;
      notifyAll(); // Before its thread is waited for.
    }
    if (last != null) {
      last.completeExceptionally(new NoSuchListeningException());
    }
    if (of != null) {
      of.close();
    }
  }
}
