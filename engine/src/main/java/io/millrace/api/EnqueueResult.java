package io.millrace.api;

import java.util.ArrayList;
import java.util.List;

/** How an offer to a queue ended. */
public sealed interface EnqueueResult permits Enqueued, EnqueueResult.Refused {

  /** Whether the job is in the queue, or another that holds its {@link UniqueKey}. */
  default boolean isDone() {
    return this instanceof Enqueued;
  }

  /**
   * The job that is in the queue.
   *
   * @throws EnqueueRefusedException it is not; nothing was changed
   */
  Enqueued orThrow();

  /**
   * The jobs of one call, all of which are in the queue.
   *
   * @throws EnqueueRefusedException some are not; {@link EnqueueRefusedException#results} says
   *     which
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

  /** The queue did not take the job; nothing was changed. */
  sealed interface Refused extends EnqueueResult {

    /** Whose queue it is. */
    QueueName queue();

    /** Why, as a sentence with what to do. */
    String reason();

    @Override
    default Enqueued orThrow() {
      throw new EnqueueRefusedException(this, List.of(this));
    }
  }

  /**
   * The queue has reached its depth limit.
   *
   * @param queue the queue that is full
   * @param depthMax its limit
   */
  record QueueFull(QueueName queue, long depthMax) implements Refused {
    @Override
    public String reason() {
      return "queue is full, try again when jobs of it are done, or raise its depthMax of "
          + depthMax;
    }
  }

  /**
   * The queue is being drained.
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
