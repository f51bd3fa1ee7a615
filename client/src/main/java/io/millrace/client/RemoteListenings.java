package io.millrace.client;

import io.millrace.api.EngineClosedException;
import io.millrace.api.JobEvent;
import io.millrace.api.JobListener;
import io.millrace.api.JobListening;
import io.millrace.api.QueueName;
import io.millrace.options.Checks;
import io.millrace.protocol.ListenCalls;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The listeners of a client. Any thread. */
final class RemoteListenings implements AutoCloseable {

  /** The time after which servers are asked in any case, that they know that somebody listens. */
  private static final Duration WAITING = Duration.ofSeconds(20);

  private final Duration waiting;

  /** The listeners whose threads have not ended yet. */
  private final Set<RemoteListening> open = new HashSet<>();

  private boolean isClosed;

  RemoteListenings() {
    this(WAITING);
  }

  /**
   * Creates the listeners of a client.
   *
   * @param waiting for how long a call waits for events
   */
  RemoteListenings(Duration waiting) {
    this.waiting = waiting;
  }

  /**
   * Begins to tell a listener.
   *
   * @param queue the queue; empty for all queues
   */
  JobListening listen(
      Caller caller, Optional<QueueName> queue, Set<JobEvent.Kind> kinds, JobListener listener) {
    caller.functions().check();
    Objects.requireNonNull(listener, "listener");
    Set<JobEvent.Kind> wanted = Set.copyOf(kinds);
    Checks.inRange("number of kinds", wanted.size(), 1, JobEvent.Kind.values().length);
    refuseIfClosed();
    RemoteListening listening =
        RemoteListening.begin(caller, new ListenCalls.Listen(queue, wanted), waiting, listener);
    synchronized (this) {
      open.removeIf(RemoteListening::isOver);
      if (!isClosed) {
        open.add(listening);
        return listening;
      }
    }
    listening.close(); // The client was closed meanwhile.
    throw closed();
  }

  private synchronized void refuseIfClosed() {
    if (isClosed) {
      throw closed();
    }
  }

  private static EngineClosedException closed() {
    return new EngineClosedException("client is closed; nothing happened");
  }

  /**
   * Ends all listeners once they are told what has happened, and lets none begin. Waits for that
   * some seconds at most. To be called before the connection is closed. Idempotent.
   */
  @Override
  public void close() {
    List<RemoteListening> ending;
    synchronized (this) {
      isClosed = true;
      ending = List.copyOf(open);
      open.clear();
    }
    ending.forEach(RemoteListening::endWhenTold);
    long endNs = RemoteListening.closingEndNs();
    ending.forEach(listening -> listening.join(endNs));
  }
}
