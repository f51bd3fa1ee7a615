package io.millrace.engine.noted;

import io.millrace.api.QueueName;
import java.util.Collection;
import java.util.Optional;

/** Queues whose health shows what others could not do, and which of them nobody serves. */
public interface Noted {

  /** Answers what that is told to. */
  Troubles troubles();

  /** Tells whether they are closed for good, as memory knows: nothing is read for it. */
  boolean isClosed();

  /**
   * Tells that somebody serves these queues, also while he is too busy to claim, until he runs what
   * this answers.
   *
   * @param tenantsOf the names all of whose tenants he serves
   */
  Runnable serve(Collection<QueueName> queues, Collection<String> tenantsOf);

  /** Answers these queues if what is told of them can be seen; empty if nobody would see it. */
  static Optional<Noted> of(Object queues) {
    return queues instanceof Noted noted ? Optional.of(noted) : Optional.empty();
  }

  /** Answers what is told to these queues; empty if nobody would see it. */
  static Optional<Troubles> troublesOf(Object queues) {
    return of(queues).map(Noted::troubles);
  }
}
