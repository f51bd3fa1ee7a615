package io.millrace.worker;

import io.millrace.api.Codec;
import io.millrace.api.JobId;
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
 * The job that a handler works on. Valid until the handler returns, on any thread. What it tells of
 * the job is as the lease was granted.
 */
public interface JobContext {

  JobId jobId();

  QueueName queue();

  /** What kind of work it is; the queue's name if nothing else was said. */
  String type();

  Map<String, String> headers();

  /** Which counted start of the job this is; the first is 1. */
  int attempt();

  /** How many starts count until the job is dead. */
  int maxAttempts();

  /** Whether the job is dead if this attempt fails. */
  default boolean isLastAttempt() {
    return attempt() >= maxAttempts();
  }

  /** See {@link Lease#token}: hand it to systems that can fence by it. */
  long token();

  /** What the attempt before this one failed of. */
  Optional<String> lastError();

  /** When the job was enqueued. */
  Instant enqueuedAt();

  /**
   * The instant that a recurring job is for; empty of any other, and of one that was run at once.
   */
  default Optional<Instant> scheduledFor() {
    String instant = headers().get(Schedule.SCHEDULED_FOR);
    try {
      return Optional.ofNullable(instant).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty(); // the header of somebody else
    }
  }

  /** Why this attempt began; with the signal that it waited for, if it did. */
  Wake wake();

  /**
   * As {@link Lease#signalled(String)}: the payload of the signal that the job waited for, if it
   * came.
   */
  Optional<byte[]> signalled(String signal);

  /** As the other, read by the codec. */
  default <T> Optional<T> signalled(String signal, Codec<T> codec) {
    return signalled(signal).map(codec::decode);
  }

  /** As {@link Lease#hasTimedOut}: whether the signal did not come in time. */
  boolean hasTimedOut(String signal);

  /** What time it is for the queues. */
  Instant now();

  /**
   * Whether the work is to be given up: somebody asked for the job to be cancelled, the lease was
   * lost, the time that the job may take is over, or the worker stops and its grace is over. False
   * once the handler has said that it is {@link #done}.
   *
   * <p>A handler that was told so, by this or by an interrupt, and returns has given its job up: it
   * is not completed, whatever the handler returns. A cancelled job is gone, one whose time is over
   * has failed, one whose worker stops is handed back, and one whose lease was lost is another's.
   * Who has done all of the work in spite of that says {@link #done}, or completes the job by
   * {@link HandlerContext#completeWith}.
   */
  boolean isToStop();

  /**
   * Lets work be given up where it can be.
   *
   * @throws JobStoppedException if {@link #isToStop}; to be passed on to the worker, which ends the
   *     job as the reason wants it
   */
  void checkAlive();

  /**
   * Says that all of the work is done: when the handler returns, that holds, even if it was told to
   * stop before. Whoever was never told to stop need not say so. Not for one that throws.
   */
  default void done() {}

  /**
   * Lengthens the lease, if that is needed: the worker does so by itself at a third of its time.
   */
  void extend(Duration duration);

  /** What the last checkpoint kept, of this attempt or one before; empty if there was none. */
  Optional<byte[]> checkpointed();

  /** As {@link #checkpointed()}, read by the codec. */
  default <T> Optional<T> checkpointed(Codec<T> codec) {
    return checkpointed().map(codec::decode);
  }

  /**
   * Keeps a state that the next attempt can go on from, in place of the one before.
   *
   * @param state at most {@value Limits#STATE_BYTES_MAX} bytes
   * @throws LeaseLostException the job is another's by now; nothing happened
   */
  void checkpoint(byte[] state);

  /** As the other, written by the codec. */
  default <T> void checkpoint(Codec<T> codec, T state) {
    checkpoint(codec.encode(state));
  }

  /**
   * Keeps a state together with effects in the same store: in one commit, or not at all.
   *
   * @param effects called as {@link io.millrace.api.JobQueues#transact} calls it, perhaps several
   *     times
   * @param state makes the state of what the effects answered
   * @throws LeaseLostException the job is another's by now; nothing happened
   */
  <R extends @Nullable Object> R checkpointWith(
      Function<Transaction, R> effects, Function<? super R, byte[]> state);

  /**
   * Tells who looks how far the work is. Kept in memory alone.
   *
   * @param part from 0 to 1
   * @param text what is being done, for people
   */
  void progress(double part, String text);
}
