package io.millrace.model.crash;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A job, and what clients of a server wrote down about it. */
final class RemoteJob {

  final String name;

  /** The number of calls that may have enqueued it. */
  int enqueueCount;

  /** The sign that one of them was answered. */
  boolean isEnqueued;

  boolean isWithRow;
  Optional<String> id = Optional.empty();

  /** The leases that clients were told of, by token: in the order in which they were granted. */
  final TreeMap<Long, Held> leases = new TreeMap<>();

  RemoteJob(String name) {
    this.name = name;
  }

  /** A lease that a client was told of. */
  static final class Held {
    final long token;
    final String life;
    final long toldUs;

    /** Until when the lease lasts at the least, unless it is ended. */
    long lastsUntilUs;

    /** The time when its holder first asked for its end. */
    long endAskedUs = Long.MAX_VALUE;

    final Set<RemoteOp> asked = EnumSet.noneOf(RemoteOp.class);
    final Set<RemoteOp> done = EnumSet.noneOf(RemoteOp.class);

    Held(long token, String life, long toldUs, long lastsUntilUs) {
      this.token = token;
      this.life = life;
      this.toldUs = toldUs;
      this.lastsUntilUs = lastsUntilUs;
    }

    boolean isCompletionAsked() {
      return asked.stream().anyMatch(RemoteOp::isCompletion);
    }

    boolean isCompleted() {
      return done.stream().anyMatch(RemoteOp::isCompletion);
    }

    /** Whether the lease was certainly still its holder's at this time. */
    boolean isHeldAt(long us) {
      return us < lastsUntilUs && us < endAskedUs;
    }

    @Override
    public String toString() {
      return "lease %d of %s, told %d, lasts until %d, end asked %d, asked %s, done %s"
          .formatted(token, life, toldUs, lastsUntilUs, endAskedUs, asked, done);
    }
  }
}
