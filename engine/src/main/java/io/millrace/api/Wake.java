package io.millrace.api;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * The reason why an attempt began. A job that is worked on in several attempts looks at it first.
 *
 * <p>A lease that is released begins again with the same reason. A job that is rescheduled or
 * updated before it is started keeps its reason, too.
 *
 * <p>A signal is passed on until an attempt that received it ends with success, a snooze or another
 * wait: a {@link Retry} has it, and if the job dies and is redriven the reason is {@link Signalled}
 * once more. A timeout is passed on to retries only, because a job that is redriven may wait again.
 */
public sealed interface Wake {

  /**
   * Returns what the attempt was told about a signal: a {@link Signalled} or {@link TimedOut}. A
   * {@link Retry} returns what the attempt before it was told. Empty if there was no signal and no
   * timeout.
   */
  default Optional<Wake> signal() {
    return this instanceof Signalled || this instanceof TimedOut
        ? Optional.of(this)
        : Optional.empty();
  }

  /**
   * The attempt is the job's first, or the first after a redrive of a job that has received no
   * signal.
   */
  record First() implements Wake {}

  /**
   * The attempt before failed, or its lease ran out.
   *
   * @param signal what that attempt, or the one that it retried in turn, was told about a signal,
   *     or an {@link AfterBatch}
   */
  record Retry(Optional<Wake> signal) implements Wake {

    public Retry {
      Objects.requireNonNull(signal, "signal");
    }
  }

  /** The attempt before ended with a snooze, and the time has come. */
  record Slept() implements Wake {}

  /**
   * The attempt before waited for a signal, and it came; or the signal had come before the job died
   * and was redriven.
   *
   * @param name the signal's name
   * @param payload the signal's payload; the caller's own copy, which may be changed
   */
  record Signalled(String name, byte[] payload) implements Wake {

    public Signalled {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(payload, "payload");
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Signalled that
          && name.equals(that.name)
          && Arrays.equals(payload, that.payload);
    }

    @Override
    public int hashCode() {
      return 31 * name.hashCode() + Arrays.hashCode(payload);
    }

    @Override
    public String toString() {
      return "Signalled[name=" + name + ", payload=" + payload.length + " bytes]";
    }
  }

  /**
   * The job waited for a batch, which is over. A {@link Retry} is told so once more, and so is the
   * job if it dies and is redriven.
   *
   * @param id the batch's id
   */
  record AfterBatch(BatchId id) implements Wake {

    public AfterBatch {
      Objects.requireNonNull(id, "id");
    }
  }

  /**
   * The attempt before waited for a signal, and the deadline passed first.
   *
   * @param name the name of the signal that did not come
   */
  record TimedOut(String name) implements Wake {

    public TimedOut {
      Objects.requireNonNull(name, "name");
    }
  }
}
