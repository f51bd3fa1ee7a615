package io.millrace.api;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * Why an attempt began: what a job that is worked on in several goes has to know first.
 *
 * <p>A lease that is released begins again for the reason for which it began. A job that is
 * rescheduled or updated before it is started keeps its reason, too.
 *
 * <p>A signal is told until an attempt that has it ends with success, a snooze or another wait: a
 * {@link Retry} has it, and if the job dies and is redriven it is {@link Signalled} once more. That
 * no signal came in time is told to retries only: a job that is redriven may wait again.
 */
public sealed interface Wake {

  /**
   * What it was told of a signal, {@link Signalled} or {@link TimedOut}: of a {@link Retry} what
   * the attempt before was told; empty if it was told nothing.
   */
  default Optional<Wake> signal() {
    return this instanceof Signalled || this instanceof TimedOut
        ? Optional.of(this)
        : Optional.empty();
  }

  /** It is the first, or the first after a redrive of a job that was told no signal. */
  record First() implements Wake {}

  /**
   * The one before failed, or its lease ran out.
   *
   * @param signal what that one, or the one that it retried in turn, was told of a signal
   */
  record Retry(Optional<Wake> signal) implements Wake {

    public Retry {
      Objects.requireNonNull(signal, "signal");
    }
  }

  /** The one before ended with a snooze, and the time has come. */
  record Slept() implements Wake {}

  /**
   * The one before waited for a signal, and it came; or it had come before the job died, which was
   * redriven.
   *
   * @param name the signal's
   * @param payload its bytes; the caller's own copy, which may be changed
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
   * The one before waited for a signal, and the deadline passed first.
   *
   * @param name of the signal that did not come
   */
  record TimedOut(String name) implements Wake {

    public TimedOut {
      Objects.requireNonNull(name, "name");
    }
  }
}
