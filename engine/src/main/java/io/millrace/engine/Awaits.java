package io.millrace.engine;

import io.millrace.MillraceException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.Submitted;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.Request;
import io.millrace.internal.state.AwaitedEnds;
import io.millrace.internal.state.JobWait;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.job.AwaitEnd;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.job.Submit;
import io.millrace.internal.transition.tally.AwaitTally;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The waits of callers for the ends of jobs, by future. Any thread. */
final class Awaits {

  private static final Logger LOG = LoggerFactory.getLogger(Awaits.class);

  private final CommitLoop loop;
  private final Submitter submitter;
  private final AwaitedEnds awaited;

  Awaits(CommitLoop loop, Submitter submitter, AwaitedEnds awaited) {
    this.loop = loop;
    this.submitter = submitter;
    this.awaited = awaited;
  }

  CompletableFuture<JobEnd<byte[]>> await(JobId id) {
    Objects.requireNonNull(id, "id");
    JobWait wait = newWait();
    begin(new AwaitEnd(id, wait), wait);
    return wait.future();
  }

  /** Returns a future of the end of a tally, whose result is its row. */
  CompletableFuture<JobEnd<byte[]>> awaitTally(long number) {
    JobWait wait = newWait();
    begin(new AwaitTally(number, wait), wait);
    return wait.future();
  }

  private void begin(Transition<Optional<JobEnd<byte[]>>> beginning, JobWait wait) {
    Request.Listener<Optional<JobEnd<byte[]>>> listener =
        new Request.Listener<>() {
          @Override
          public void answered(Request<Optional<JobEnd<byte[]>>> request) {
            Optional<JobEnd<byte[]>> found;
            try {
              found = request.answer();
            } catch (Throwable e) {
              wait.future().completeExceptionally(e);
              return;
            }
            found.ifPresent(wait.future()::complete);
          }

          @Override
          public void failed(Throwable thrown) {
            wait.future().completeExceptionally(thrown);
          }
        };
    submitter.submit(Request.listening(beginning, submitter.terms(0), listener), wait.future());
  }

  /** Enqueues a job and waits until that is done. Answers with a future of the job's end. */
  Submitted<byte[]> submit(QueueName queue, byte[] payload, EnqueueOptions options) {
    JobWait wait = newWait();
    Submit submit = new Submit(new Enqueue(queue, List.of(new NewJob(payload, options))), wait);
    try {
      return submitted(submitter.call(submit), wait);
    } catch (Throwable e) {
      // Nobody has the future.
      wait.future().cancel(false);
      throw e;
    }
  }

  CompletableFuture<Submitted<byte[]>> submitAsync(
      QueueName queue, byte[] payload, EnqueueOptions options) {
    JobWait wait = newWait();
    Submit submit = new Submit(new Enqueue(queue, List.of(new NewJob(payload, options))), wait);
    CompletableFuture<Submitted<byte[]>> future =
        submitter.callAsync(submit, joined -> submitted(joined, wait));
    future.whenComplete(
        (submitted, thrown) -> {
          if (thrown != null) {
            wait.future().cancel(false);
          }
        });
    return future;
  }

  /**
   * Returns the job's id and the future of its end. A job that was there before may have ended by
   * now, so that its end is asked for.
   */
  private Submitted<byte[]> submitted(Submit.Joined joined, JobWait wait) {
    JobId id = joined.result().orThrow().jobId();
    return new Submitted<>(id, joined.isAwaited() ? wait.future() : await(id));
  }

  /**
   * Creates a wait. If its caller gives up the future, the loop takes the wait away when it comes
   * to it.
   */
  private JobWait newWait() {
    JobWait wait = new JobWait();
    wait.future()
        .whenComplete(
            (end, thrown) -> {
              if (!wait.isTold() && awaited.abandon(wait)) {
                takeAbandoned();
              }
            });
    return wait;
  }

  private void takeAbandoned() {
    try {
      loop.run(awaited::takeAbandoned);
    } catch (MillraceException e) {
      LOG.debug("waits that were given up are forgotten later: closed, or too busy now", e);
    }
  }
}
