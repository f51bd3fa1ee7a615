package io.millrace.model.crash;

import io.millrace.model.crash.Op.Reply;

/**
 * What can be seen of a job, and when it came to its place in line.
 *
 * @param version how often its payload was changed
 * @param isMarked whether its cancel was requested
 * @param line when it entered its line, if it is in one
 */
record Look(Place place, int attempts, int version, boolean isMarked, Span line) {

  enum Place {
    ABSENT,
    /** Ready or delayed: which of them depends on the time. */
    WAITING,
    LEASED,
    DEAD,
    /** Completed, and kept for its result. */
    DONE
  }

  /** Between which lines of the journal something happened. */
  record Span(long after, long before) {
    static final Span UNKNOWN = new Span(-1, Long.MAX_VALUE);

    /** At the one time or at the other. */
    Span or(Span other) {
      return new Span(Math.min(after, other.after), Math.max(before, other.before));
    }

    /** At some time after. */
    static Span since(long line) {
      return new Span(line, Long.MAX_VALUE);
    }
  }

  static final Look ABSENT = new Look(Place.ABSENT, 0, 0, false, Span.UNKNOWN);

  /** What the operation makes of the job; {@code when} it is asked for and answered. */
  Look after(Op op, String job, Span when) {
    boolean isLeased = place == Place.LEASED;
    return switch (op) {
      case ENQUEUE -> new Look(Place.WAITING, 0, 0, false, when);
      case ENQUEUE_LATER -> new Look(Place.WAITING, 0, 0, false, Span.since(when.after()));
      case CLAIM -> new Look(Place.LEASED, attempts + 1, version, false, line);
      case COMPLETE ->
          Workload.isKept(job) ? new Look(Place.DONE, attempts, version, false, line) : ABSENT;
      case FAIL -> isMarked ? ABSENT : failed(when);
      case FAIL_FOR_GOOD ->
          isMarked ? ABSENT : new Look(Place.DEAD, attempts, version, false, line);
      case RELEASE -> isMarked ? ABSENT : handedBack();
      case SNOOZE ->
          isMarked
              ? ABSENT
              : new Look(Place.WAITING, attempts - 1, version, false, Span.since(when.after()));
      case CHECKPOINT, UPDATE -> new Look(place, attempts, version + 1, isMarked, line);
      case REQUEST_CANCEL -> new Look(place, attempts, version, true, line);
      case CANCEL -> isLeased || place == Place.DONE ? this : ABSENT;
      case REMOVE -> ABSENT;
      case REDRIVE -> new Look(Place.WAITING, 0, version, false, when);
      case RESCHEDULE -> new Look(Place.WAITING, attempts, version, false, when);
      case COMPLETE_AGAIN -> this;
    };
  }

  private Look failed(Span when) {
    boolean isOver = attempts >= Workload.MAX_ATTEMPTS;
    return new Look(
        isOver ? Place.DEAD : Place.WAITING, attempts, version, false, Span.since(when.after()));
  }

  private Look handedBack() {
    return new Look(Place.WAITING, attempts - 1, version, false, line);
  }

  /** The answer to an operation on this job that is carried out. */
  Reply answer(Op op) {
    boolean isEnd = op == Op.FAIL || op == Op.FAIL_FOR_GOOD || op == Op.RELEASE || op == Op.SNOOZE;
    if (isEnd && isMarked) {
      return Reply.CANCELLED;
    }
    boolean isDeath =
        op == Op.FAIL_FOR_GOOD || (op == Op.FAIL && attempts >= Workload.MAX_ATTEMPTS);
    return isDeath ? Reply.DEAD : Reply.OK;
  }

  /** Whether the operation can be carried out on this job. */
  boolean allows(Op op) {
    return switch (op) {
      case ENQUEUE, ENQUEUE_LATER -> place == Place.ABSENT;
      case CLAIM, RESCHEDULE, UPDATE -> place == Place.WAITING;
      case COMPLETE, FAIL, FAIL_FOR_GOOD, RELEASE, SNOOZE, CHECKPOINT, REQUEST_CANCEL ->
          place == Place.LEASED;
      case REDRIVE -> place == Place.DEAD;
      case CANCEL, REMOVE -> place == Place.WAITING || place == Place.DEAD;
      case COMPLETE_AGAIN -> false;
    };
  }

  /** What the next process finds of it after a stop; {@code reopening} is when. */
  Look afterStop(boolean isClean, Span reopening) {
    if (place != Place.LEASED) {
      return this;
    }
    if (isMarked) {
      return ABSENT;
    }
    if (isClean) {
      return handedBack();
    }
    boolean isOver = attempts >= Workload.MAX_ATTEMPTS;
    return new Look(isOver ? Place.DEAD : Place.WAITING, attempts, version, false, reopening);
  }

  /** The same, but for the time of its coming to its line. */
  Look cameAt(Span came) {
    return new Look(place, attempts, version, isMarked, came);
  }

  /** Whether the eye cannot tell one from the other. */
  boolean isLike(Look other) {
    boolean isSame =
        attempts == other.attempts && version == other.version && isMarked == other.isMarked;
    return place == other.place && (isSame || place == Place.ABSENT);
  }
}
