package io.millrace.worker;

import io.millrace.MillraceException;
import io.millrace.api.CodecException;
import io.millrace.api.EngineClosedException;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.worker.JobRunEnd.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sure that a job's lease is ended as its run demands. If that cannot be done now, or nobody
 * knows whether it was done, it asks again while the lease lasts. Any thread.
 */
final class Settlement {

  private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);
  private static final Duration AGAIN_FIRST = Duration.ofMillis(100);
  private static final Duration AGAIN_MOST = Duration.ofSeconds(5);

  private static final String AGAIN = "the end of a job is asked for again: job={}";
  private static final String CLOSED = "engine was closed before a job was ended: job={}";
  private static final String UNKNOWN =
      "it is not known how a job ended; if it did not, it is served again: job={}";

  private final RunningWorker worker;
  private final WorkerThreads threads;
  private final JobRun run;
  private final Supplier<CompletableFuture<Outcome>> ending;
  private Duration wait = AGAIN_FIRST;
  private volatile boolean isInDoubt;

  Settlement(
      RunningWorker worker,
      WorkerThreads threads,
      JobRun run,
      Supplier<CompletableFuture<Outcome>> ending) {
    this.worker = worker;
    this.threads = threads;
    this.run = run;
    this.ending = ending;
    this.isInDoubt = run.isInDoubt();
  }

  /** Asks for the end; an exception is in the future. */
  CompletableFuture<Outcome> ask() {
    try {
      return ending.get();
    } catch (Throwable e) { // an error of the user's code that makes the next job, too
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Tells the worker the outcome, when there is one at last. */
  void await(CompletableFuture<Outcome> asked) {
    asked.whenComplete(
        (outcome, thrown) -> {
          try {
            answered(outcome, thrown);
          } catch (Throwable e) { // nobody hears of what is thrown here
            run.comeBack();
          }
        });
  }

  private void answered(Outcome outcome, @Nullable Throwable thrown) {
    if (thrown == null) {
      // What was asked for before may be what ended the lease.
      boolean isUnknown = isInDoubt && outcome == Outcome.LOST;
      worker.settled(run, isUnknown ? Outcome.UNKNOWN : outcome);
    } else {
      failed(causeOf(thrown));
    }
  }

  /** Returns the exception without the one that dependent futures wrap it in. */
  static Throwable causeOf(Throwable thrown) {
    if (!(thrown instanceof CompletionException)) {
      return thrown; // one of the user's is not asked for anything
    }
    @Nullable Throwable cause = thrown.getCause();
    return cause != null ? cause : thrown;
  }

  private void failed(Throwable thrown) {
    isInDoubt |= thrown instanceof OutcomeUnknownException;
    if (thrown instanceof OutOfMemoryError && run.isFirstWant()) {
      run.comeBack(); // somebody else has the memory now, mostly
    } else if (isFault(thrown) && run.isNewFault(thrown)) {
      String error = "what the handler wants cannot be done: " + ErrorText.of(thrown);
      Settlement instead =
          new Settlement(worker, threads, run, Endings.failed(run.lease(), error, run.unasked()));
      instead.await(instead.ask());
    } else if (isPassing(thrown) && !run.lease().remaining().isZero()) {
      threads.after(wait, () -> threads.run(() -> await(ask()), this::givenUp));
      wait = wait.compareTo(AGAIN_MOST) < 0 ? wait.multipliedBy(2) : wait;
      Telling.tell(() -> LOG.warn(AGAIN, run.lease().jobId(), thrown));
    } else if (thrown instanceof OutOfMemoryError) {
      run.comeBack();
    } else {
      givenUp(thrown);
    }
  }

  /** Tells whether the handler asked for something that is not allowed. */
  private static boolean isFault(Throwable thrown) {
    return thrown instanceof CodecException
        || thrown instanceof NoSuchBatchException
        || !(thrown instanceof MillraceException);
  }

  /** Tells whether asking again may succeed. */
  private static boolean isPassing(Throwable thrown) {
    return !isFault(thrown) && !(thrown instanceof EngineClosedException);
  }

  private void givenUp(Throwable thrown) {
    worker.settled(run, Outcome.UNKNOWN);
    if (thrown instanceof EngineClosedException) {
      Telling.tell(() -> LOG.warn(CLOSED, run.lease().jobId()));
    } else {
      Telling.tell(() -> LOG.error(UNKNOWN, run.lease().jobId(), thrown));
    }
  }
}
