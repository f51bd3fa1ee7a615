package io.millrace.worker;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.ResultJobType;
import io.millrace.api.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What becomes of a job after its handler has returned. A handler that was told to stop and answers
 * {@link #done}, {@link #doneWith} or {@link #then} has not completed its job by that, unless it
 * has said {@link JobContext#done}; the others hold.
 */
public sealed interface Next {

  /** The job is completed. */
  static Next done() {
    return new Done(Optional.empty());
  }

  /** The job is completed with a result, which is kept as {@link Lease#complete(byte[])} says. */
  static Next done(byte[] result) {
    return new Done(Optional.of(result));
  }

  /**
   * The job is completed together with effects in the same store: in one commit, or not at all.
   * They are carried out when the handler has returned, inside of the worker's middlewares: what
   * they throw, or what the transaction ends in, is as if the handler had thrown it.
   *
   * @param effects called as {@link JobQueues#transact} calls it, perhaps several times
   */
  static Next doneWith(Consumer<Transaction> effects) {
    Objects.requireNonNull(effects, "effects");
    return new DoneWith(
        transaction -> {
          effects.accept(transaction);
          return Optional.empty();
        });
  }

  /** As the other; what the function answers is the job's result. */
  static <R> Next doneWith(ResultJobType<?, R> type, Function<Transaction, ? extends R> effects) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(effects, "effects");
    return new DoneWith(
        transaction -> {
          R answer = effects.apply(transaction);
          Objects.requireNonNull(
              answer, () -> "effects answered null, which is no result: type=" + type.name());
          return Optional.of(type.results().encode(answer));
        });
  }

  /** The job is completed, and another is enqueued in the same commit. */
  static <T> Next then(JobType<T> type, T payload) {
    return new Then<>(type, payload, UnaryOperator.identity());
  }

  /** As the other; the function is given the type's options, and answers those of the job. */
  static <T> Next then(JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    return new Then<>(type, payload, options);
  }

  /** The job goes on after this time; the attempt does not count. */
  static Next snooze(Duration time) {
    return new Snooze(time);
  }

  /** The job goes on at the instant; the attempt does not count. */
  static Next snooze(Instant until) {
    return new SnoozeUntil(until);
  }

  /** The job goes on when it is sent the signal. Holds no worker until then. */
  static Next waitFor(String signal) {
    return new WaitFor(signal, Optional.empty());
  }

  /** As the other, but no longer than this. */
  static Next waitFor(String signal, Duration most) {
    return new WaitFor(signal, Optional.of(most));
  }

  /** The attempt failed, and the job is tried again after its backoff. */
  static Next retry(String reason) {
    return new Retry(reason, Optional.empty());
  }

  /** As the other, after exactly this time, whatever its backoff is. */
  static Next retry(String reason, Duration delay) {
    return new Retry(reason, Optional.of(delay));
  }

  /** The job is a dead letter, whatever attempts it has left. */
  static Next dead(String reason) {
    return new Dead(reason);
  }

  /** See {@link #done()}. */
  record Done(Optional<byte[]> result) implements Next {
    public Done {
      Objects.requireNonNull(result, "result");
    }
  }

  /**
   * See {@link #doneWith(Consumer)}.
   *
   * @param effects answers the result, or that there is none
   */
  record DoneWith(Function<Transaction, Optional<byte[]>> effects) implements Next {
    public DoneWith {
      Objects.requireNonNull(effects, "effects");
    }
  }

  /** See {@link #then(JobType, Object)}. */
  record Then<T>(JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options)
      implements Next {
    public Then {
      Objects.requireNonNull(type, "type");
      Objects.requireNonNull(payload, "payload");
      Objects.requireNonNull(options, "options");
    }
  }

  /** See {@link #snooze(Duration)}. */
  record Snooze(Duration time) implements Next {
    public Snooze {
      Objects.requireNonNull(time, "time");
    }
  }

  /** See {@link #snooze(Instant)}. */
  record SnoozeUntil(Instant until) implements Next {
    public SnoozeUntil {
      Objects.requireNonNull(until, "until");
    }
  }

  /** See {@link #waitFor(String, Duration)}. */
  record WaitFor(String signal, Optional<Duration> most) implements Next {
    public WaitFor {
      Objects.requireNonNull(signal, "signal");
      Objects.requireNonNull(most, "most");
    }
  }

  /** See {@link #retry(String, Duration)}. */
  record Retry(String reason, Optional<Duration> delay) implements Next {
    public Retry {
      Objects.requireNonNull(reason, "reason");
      Objects.requireNonNull(delay, "delay");
    }
  }

  /** See {@link #dead(String)}. */
  record Dead(String reason) implements Next {
    public Dead {
      Objects.requireNonNull(reason, "reason");
    }
  }
}
