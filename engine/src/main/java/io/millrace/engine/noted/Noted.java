package io.millrace.engine.noted;

import io.millrace.api.QueueName;
import java.util.Collection;
import java.util.Optional;

/**
 * Queues whose engine's health shows the troubles that workers report, and the queues that none
 * serves.
 */
public interface Noted {

  /** Returns the troubles, to which workers report. */
  Troubles troubles();

  /** Tells whether the engine is closed for good, as memory knows: nothing is read for it. */
  boolean isClosed();

  /** Returns the name by which tools see the engine; empty if they are not to see it. */
  Optional<String> seenAs();

  /**
   * Notes that a worker serves these queues, also while it is too busy to claim. Running the answer
   * takes the note back.
   *
   * @param tenantsOf the names all of whose tenants the worker serves
   */
  Runnable serve(Collection<QueueName> queues, Collection<String> tenantsOf);

  /** Returns these queues if reports to them can be seen; empty if nobody would see them. */
  static Optional<Noted> of(Object queues) {
    return queues instanceof Noted noted ? Optional.of(noted) : Optional.empty();
  }

  /** Returns the troubles of these queues; empty if nobody would see reports to them. */
  static Optional<Troubles> troublesOf(Object queues) {
    return of(queues).map(Noted::troubles);
  }
}
