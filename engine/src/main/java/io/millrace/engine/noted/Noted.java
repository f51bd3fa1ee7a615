package io.millrace.engine.noted;

import java.util.Optional;

/** Queues whose health shows what others could not do. */
public interface Noted {

  /** Answers what that is told to. */
  Troubles troubles();

  /** Answers what is told to these queues; empty if nobody would see it. */
  static Optional<Troubles> troublesOf(Object queues) {
    return queues instanceof Noted noted ? Optional.of(noted.troubles()) : Optional.empty();
  }
}
