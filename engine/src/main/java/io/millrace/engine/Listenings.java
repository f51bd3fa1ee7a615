package io.millrace.engine;

import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.JobEvent.Kind;
import io.millrace.api.JobListener;
import io.millrace.api.JobListening;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.internal.state.ListenedEvents;
import io.millrace.options.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The listeners of an engine. Any thread. */
final class Listenings implements AutoCloseable {

  private final ListenedEvents events;

  /** The threads of all listeners, also of closed ones whose threads have not ended yet. */
  private final List<ListenerThread> threads = new ArrayList<>();

  private boolean isClosed;

  Listenings(ListenedEvents events) {
    this.events = events;
  }

  /** Adds a listener for one queue, or for all if none is given. */
  synchronized JobListening listen(
      Optional<QueueName> queue, Set<Kind> kinds, JobListener listener) {
    Objects.requireNonNull(listener, "listener");
    Checks.inRange("number of kinds", Set.copyOf(kinds).size(), 1, Kind.values().length);
    if (isClosed) {
      throw new EngineClosedException("engine is closed; nothing happened");
    }
    threads.removeIf(ListenerThread::isOver);
    if (threads.size() == Limits.LISTENER_COUNT_MAX) {
      throw new EngineOverloadedException(
          "too many job listeners: most="
              + Limits.LISTENER_COUNT_MAX
              + "; nothing happened, close one, or let one listener tell others");
    }
    ListenerThread thread = new ListenerThread(events, queue, kinds, listener);
    thread.start();
    threads.add(thread);
    return thread;
  }

  /** Ends all listeners once they have told the events in their lines; no more come. Idempotent. */
  @Override
  public void close() {
    List<ListenerThread> ending;
    synchronized (this) {
      isClosed = true;
      ending = List.copyOf(threads);
      threads.clear();
    }
    ending.forEach(ListenerThread::endWhenTold);
    ending.forEach(ListenerThread::join);
  }
}
