package io.millrace.worker;

import io.millrace.MillraceException;
import io.millrace.api.BatchId;
import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.LeaseLostException;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.api.Transaction;
import io.millrace.api.Wake;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The job that a handler works on. Valid until the handler returns, on any thread. Shows the job as
 * it was when its lease was granted.
 */
public interface JobContext {

  JobId jobId();

  QueueName queue();

  /** Returns the name of the job's type; the queue's name if the job was enqueued without one. */
  String type();

  Map<String, String> headers();

  /** Returns the name of the worker that claimed the job. */
  String worker();

  /** Returns the number of this counted start of the job; the first is 1. */
  int attempt();

  /** Returns how many counted starts the job has before it is dead. */
  int maxAttempts();

  /** Tells whether the job is dead if this attempt fails. */
  default boolean isLastAttempt() {
    return attempt() >= maxAttempts();
  }

  /** Returns the fencing token of {@link Lease#token}: hand it to systems that can fence by it. */
  long token();

  /** Returns the error of the attempt before this one. */
  Optional<String> lastError();

  /** Returns the time when the job was enqueued. */
  Instant enqueuedAt();

  /**
   * Returns the instant that a recurring job is for; empty for any other job, and for one that was
   * run on demand.
   */
  default Optional<Instant> scheduledFor() {
    String instant = headers().get(Schedule.SCHEDULED_FOR);
    try {
      return Optional.ofNullable(instant).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty(); // the header of somebody else
    }
  }

  /** Returns the batch that the job is one of, to which it may add others as long as it runs. */
  Optional<BatchId> batch();

  /**
   * Returns the reason why this attempt began, with the signal if the job waited for one and it
   * came.
   */
  Wake wake();

  /**
   * Returns the payload of the signal that the job waited for, if it came; see {@link
   * Lease#signalled(String)}.
   */
  Optional<byte[]> signalled(String signal);

  /**
   * Returns the payload of the signal, read by the codec; see {@link #signalled(String)}.
   *
   * @throws CodecException the codec does not read the payload
   */
  default <T> Optional<T> signalled(String signal, Codec<T> codec) {
    return signalled(signal).map(codec::decode);
  }

  /** Tells whether the signal did not come in time; see {@link Lease#hasTimedOut}. */
  boolean hasTimedOut(String signal);

  /** Returns the queues that the job is of, to look at others or to enqueue more. */
  JobQueues queues();

  /** Returns the current time of the queues. */
  Instant now();

  /**
   * Tells whether the handler is to give the work up: the job is to be cancelled, its lease was
   * lost, its timeout is over, or the worker stops and its grace is over. False once the handler
   * has called {@link #done}.
   *
   * <p>A handler that was told to stop, by this or by an interrupt, and returns has given its job
   * up: the job is not completed, whatever the handler returns. A cancelled job is gone, one whose
   * timeout is over has failed, one whose worker stops is handed back, and one whose lease was lost
   * is another's. A handler that has done all of the work nevertheless calls {@link #done}, or
   * completes the job by {@link HandlerContext#completeWith}.
   */
  boolean isToStop();

  /**
   * Throws if the work is to be given up; call this where the work can be.
   *
   * @throws JobStoppedException if {@link #isToStop}; to be passed on to the worker, which ends the
   *     job as the reason demands
   */
  void checkAlive();

  /**
   * Says that all of the work is done. When the handler returns, this holds even if the handler was
   * told to stop before. Needless for a handler that was never told to stop, and without effect for
   * one that throws.
   */
  default void done() {}

  /**
   * Lengthens the lease. Rarely needed: the worker does so by itself when a third of its time is
   * over.
   *
   * @throws IllegalArgumentException the duration is not from {@link Limits#LEASE_LEAST} to {@link
   *     Limits#LEASE_MAX}; nothing happened
   * @throws LeaseLostException the job is another's by now; nothing happened
   * @throws MillraceException as every operation; see {@link Lease}
   */
  void extend(Duration duration);

  /**
   * Returns the state that the last checkpoint kept, of this attempt or one before; empty if there
   * was none.
   */
  Optional<byte[]> checkpointed();

  /**
   * Returns the state of the last checkpoint, read by the codec; see {@link #checkpointed()}.
   *
   * @throws CodecException the codec does not read the state
   */
  default <T> Optional<T> checkpointed(Codec<T> codec) {
    return checkpointed().map(codec::decode);
  }

  /**
   * Keeps a state from which the next attempt can go on, in place of the one before.
   *
   * @param state at most {@value Limits#CHECKPOINT_BYTES_MAX} bytes
   * @throws LeaseLostException the job is another's by now; nothing happened
   * @throws IllegalArgumentException the state is longer; nothing happened
   * @throws MillraceException as every operation; see {@link Lease}
   */
  void checkpoint(byte[] state);

  /**
   * Keeps a state, written by the codec; see {@link #checkpoint(byte[])}.
   *
   * @throws IllegalArgumentException the codec cannot encode the state, or makes more bytes of it
   *     than {@link #checkpoint(byte[])} allows; nothing happened
   * @throws LeaseLostException the job is another's by now; nothing happened
   * @throws MillraceException as every operation; see {@link Lease}
   */
  default <T> void checkpoint(Codec<T> codec, T state) {
    checkpoint(codec.encode(state));
  }

  /**
   * Keeps a state together with effects in the same store: in one commit, or not at all.
   *
   * @param effects called as {@link io.millrace.api.JobQueues#transact} calls it, perhaps several
   *     times
   * @param state makes the state from the answer of the effects
   * @throws LeaseLostException the job is another's by now; nothing happened
   * @throws IllegalArgumentException the state has more than {@value Limits#CHECKPOINT_BYTES_MAX}
   *     bytes, or as every method of a transaction; nothing happened
   * @throws MillraceException as {@link io.millrace.api.JobQueues#transact}, and as {@code
   *     orThrow()} of its result
   */
  <R extends @Nullable Object> R checkpointWith(
      Function<Transaction, R> effects, Function<? super R, byte[]> state);

  /**
   * Reports how far the work is, to whoever looks. Kept in memory alone.
   *
   * @param part the part that is done, from 0 to 1
   * @param text the step that is being done, for people
   * @throws IllegalArgumentException the part is out of this range
   */
  void progress(double part, String text);
}
