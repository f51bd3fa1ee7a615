package io.millrace.api;

import java.util.ArrayList;
import java.util.List;

/** The possible outcomes of an offer of a job to a queue. */
public sealed interface EnqueueResult extends Result<Enqueued>
    permits Enqueued, EnqueueResult.Refused {

  /** Tells whether the queue has the job, or another job that holds its {@link UniqueKey}. */
  @Override
  default boolean isDone() {
    return this instanceof Enqueued;
  }

  /**
   * Returns the job that is in the queue.
   *
   * @throws EnqueueRefusedException the queue did not take the job; nothing was changed
   */
  @Override
  Enqueued orThrow();

  /**
   * Returns the jobs of one call, if all of them are in the queue.
   *
   * @throws EnqueueRefusedException some jobs are not in the queue; {@link
   *     EnqueueRefusedException#results} says which
   */
  static List<Enqueued> allOrThrow(List<EnqueueResult> results) {
    List<Enqueued> enqueued = new ArrayList<>(results.size());
    for (EnqueueResult result : results) {
      if (result instanceof Refused refused) {
        throw new EnqueueRefusedException(refused, results);
      }
      enqueued.add((Enqueued) result);
    }
    return enqueued;
  }

  /** A refusal: the queue did not take the job, and nothing was changed. */
  sealed interface Refused extends EnqueueResult {

    /** Returns the name of the queue that refused the job. */
    QueueName queue();

    /** Returns the reason, as a sentence that says what to do. */
    String reason();

    @Override
    default Enqueued orThrow() {
      throw new EnqueueRefusedException(this, List.of(this));
    }
  }

  /**
   * A refusal because the queue has reached its depth limit.
   *
   * @param queue the queue that is full
   * @param depthMax the most jobs that may wait in it
   */
  record QueueFull(QueueName queue, long depthMax) implements Refused {
    @Override
    public String reason() {
      return "queue is full, try again when jobs of it are done, or raise its depthMax of "
          + depthMax;
    }
  }

  /**
   * A refusal because the batch that the job was to join takes no more jobs.
   *
   * @param queue the queue that the job was to join
   * @param batch the batch, which is over or cancelled, or is not there
   */
  record BatchOver(QueueName queue, BatchId batch) implements Refused {
    @Override
    public String reason() {
      return "batch "
          + batch
          + " takes no more jobs, since it is over or cancelled, or is not there; begin another";
    }
  }

  /**
   * A refusal because the queue is being drained.
   *
   * @param queue the queue that takes no jobs
   */
  record Draining(QueueName queue) implements Refused {
    @Override
    public String reason() {
      return "queue is being drained and takes no jobs until endDrain";
    }
  }
}
