package io.millrace.worker;

import io.millrace.api.BatchId;
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
 * A handler's answer, which says what becomes of its job. A handler that was told to stop and
 * answers {@link #done}, {@link #doneWith} or {@link #then} has not completed its job by that,
 * unless it has called {@link JobContext#done}. The other answers hold.
 *
 * <p>Answers are looked at when they are carried out: one with a value out of its range, or that
 * the codec of its type cannot encode, fails the attempt. Nothing else of it happens.
 */
public sealed interface Next {

  /** Completes the job. */
  static Next done() {
    return new Done(Optional.empty());
  }

  /** Completes the job with a result, which is kept as {@link Lease#complete(byte[])} says. */
  static Next done(byte[] result) {
    return new Done(Optional.of(result));
  }

  /**
   * Completes the job together with effects in the same store: in one commit, or not at all. The
   * effects are carried out when the handler has returned, inside of the worker's middlewares. If
   * they throw, or the transaction fails, that counts as if the handler had thrown it.
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

  /**
   * Completes the job with a result that its effects give; see {@link #doneWith(Consumer)}.
   *
   * @param effects answers the job's result
   */
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

  /** Completes the job, and enqueues another in the same commit. */
  static <T> Next then(JobType<T> type, T payload) {
    return new Then<>(type, payload, UnaryOperator.identity());
  }

  /**
   * Completes the job, and enqueues another with options of its own; see {@link #then(JobType,
   * Object)}.
   *
   * @param options given the type's options, answers those of the job
   */
  static <T> Next then(JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    return new Then<>(type, payload, options);
  }

  /** Lets the job go on after this time; the attempt does not count. */
  static Next snooze(Duration time) {
    return new Snooze(time);
  }

  /** Lets the job go on at the instant; the attempt does not count. */
  static Next snooze(Instant until) {
    return new SnoozeUntil(until);
  }

  /** Lets the job go on when it is sent the signal. It holds no worker until then. */
  static Next waitFor(String signal) {
    return new WaitFor(signal, Optional.empty());
  }

  /**
   * Lets the job wait for the signal, but for no longer than this; see {@link #waitFor(String)}.
   */
  static Next waitFor(String signal, Duration most) {
    return new WaitFor(signal, Optional.of(most));
  }

  /**
   * Lets the job go on when the batch is over, however its jobs have ended; at once if it is over
   * already. It holds no worker until then. See {@link Lease#waitFor(BatchId)}.
   */
  static Next waitFor(BatchId batch) {
    return new WaitForBatch(batch);
  }

  /** Fails the attempt; the job is tried again after its backoff. */
  static Next retry(String reason) {
    return new Retry(reason, Optional.empty());
  }

  /**
   * Fails the attempt; the job is tried again after exactly this delay, whatever its backoff is.
   */
  static Next retry(String reason, Duration delay) {
    return new Retry(reason, Optional.of(delay));
  }

  /** Makes the job a dead letter, whatever attempts it has left. */
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
   * @param effects answers the result; empty if there is none
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

  /** See {@link #waitFor(BatchId)}. */
  record WaitForBatch(BatchId batch) implements Next {
    public WaitForBatch {
      Objects.requireNonNull(batch, "batch");
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
