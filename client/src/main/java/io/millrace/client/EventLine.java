package io.millrace.client;

import io.millrace.protocol.ListenCalls.ListenedEvent;
import io.millrace.protocol.ListenCalls.NextEvents;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bounded line of events between the thread that asks the server for them and the listener that
 * is yet to be told. While it is full, events wait at the server.
 */
final class EventLine {

  /** Events of as many answers as the listener may be behind before the server is not asked. */
  private static final int COUNT_MAX = 2 * NextEvents.COUNT_MAX;

  /** The moment at which the telling ends. */
  enum End {
    NOT_YET,
    /** The end after all events that have happened are told. */
    WHEN_TOLD,
    AT_ONCE
  }

  private final Deque<ListenedEvent> events = new ArrayDeque<>();
  private End end = End.NOT_YET;
  private boolean isComplete;

  synchronized End end() {
    return end;
  }

  synchronized void end(End value) {
    if (end != End.AT_ONCE) {
      end = value;
    }
    notifyAll();
  }

  /** Notes that no more events come. */
  synchronized void complete() {
    isComplete = true;
    notifyAll();
  }

  /** Puts events in, for which there was room. */
  synchronized void put(List<? extends ListenedEvent> next) {
    events.addAll(next);
    notifyAll();
  }

  /**
   * Returns for how many events there is room.
   *
   * @param mostMs for how long to wait for some room, in milliseconds
   */
  synchronized int awaitRoom(long mostMs) {
    if (room() == 0 && end != End.AT_ONCE) {
      pause(mostMs);
    }
    return room();
  }

  private int room() {
    return events.size() >= COUNT_MAX ? 0 : NextEvents.COUNT_MAX;
  }

  /** Waits, unless the telling is to end. */
  synchronized void pauseUnlessEnded(long ms) {
    if (end == End.NOT_YET) {
      pause(ms);
    }
  }

  private void pause(long ms) {
    try {
      wait(ms);
    } catch (InterruptedException e) {
      return; // Somebody's mistake: only the end ends the threads.
    }
  }

  /** Takes the next event, and waits for it; null if none comes any more. */
  synchronized @Nullable ListenedEvent take() {
    while (end != End.AT_ONCE) {
      ListenedEvent next = events.pollFirst();
      if (next != null) {
        if (events.size() == COUNT_MAX - 1) {
          notifyAll(); // There is room again.
        }
        return next;
      }
      if (isComplete) {
        return null;
      }
      pause(0);
    }
    return null;
  }
}
