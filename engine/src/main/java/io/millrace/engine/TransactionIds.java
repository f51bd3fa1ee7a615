package io.millrace.engine;

import io.millrace.api.EngineOverloadedException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueName;
import io.millrace.calls.GatheringTransaction;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.transition.job.ReserveIds;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Ids of jobs that transactions are to enqueue, and of tallies that they begin, made of births that
 * the loop gives out many at a time: most transactions need not ask the loop. Any thread.
 *
 * <p>Numbers and births that are remembered here may be outdated, since a queue was deleted or the
 * store opened again: a transaction that finds that out has them {@linkplain #forget forgotten}.
 */
final class TransactionIds {

  /**
   * The least number of births that are asked for at a time. A transaction that has taken more asks
   * for as many again, up to {@link #STEP_MOST}.
   */
  private static final int STEP_LEAST = 256;

  private static final int STEP_MOST = 4_096;

  /** The most queues whose numbers are remembered; beyond that all are asked for again. */
  private static final int QUEUE_COUNT_MAX = 10_000;

  private final Map<QueueName, Integer> queueNumbers = new ConcurrentHashMap<>();
  private final Births births = new Births();

  /** The births that were given out by the loop and are not used yet. */
  private static final class Births {

    static final long NONE = -1;

    private long next;
    private long end;

    synchronized long take() {
      return next == end ? NONE : next++;
    }

    /**
     * Keeps all of so many but the first; none if there were higher ones before, for whoever asks
     * later is to get a higher birth.
     */
    synchronized void putRest(long first, int count) {
      if (first >= end) {
        next = first + 1;
        end = first + count;
      }
    }

    synchronized void clear() {
      next = 0;
      end = 0;
    }
  }

  /**
   * Returns an id that no job has or will have, but for the one that is enqueued with it. The
   * births of one transaction rise with its calls.
   *
   * @param unused an id that was given before, whose birth is used again; else null
   * @param takenCount how many ids the transaction has taken: as many again are asked for
   * @throws EngineOverloadedException the engine has given none
   */
  JobAddress take(
      Submitter submitter,
      QueueName queue,
      int priority,
      @Nullable JobAddress unused,
      int takenCount) {
    long birth = unused == null ? births.take() : unused.birth();
    Integer number = queueNumbers.get(queue);
    if (birth == Births.NONE || number == null) {
      int count = birth == Births.NONE ? step(takenCount) : 1;
      ReserveIds.Reserved told = reserve(submitter, new ReserveIds(queue, count));
      if (birth == Births.NONE) {
        birth = told.firstBirth();
        births.putRest(birth, count);
      }
      number = told.queue();
      remember(queue, number);
    }
    return new JobAddress(number, Keyspace.READY, priority, birth);
  }

  /**
   * Returns a number that no tally has or will have, but for the one that begins with it; see
   * {@link #take}.
   *
   * @throws EngineOverloadedException the engine has given none
   */
  long takeNumber(Submitter submitter, int takenCount) {
    long number = births.take();
    if (number == Births.NONE) {
      int count = step(takenCount);
      number = reserve(submitter, new ReserveIds(null, count)).firstBirth();
      births.putRest(number, count);
    }
    return number;
  }

  private static int step(int takenCount) {
    return Math.min(Math.max(takenCount, STEP_LEAST), STEP_MOST);
  }

  /**
   * Asks the loop for births. Whatever becomes of the question, nothing of the transaction has
   * happened.
   */
  private static ReserveIds.Reserved reserve(Submitter submitter, ReserveIds request) {
    try {
      return submitter.call(request);
    } catch (OutcomeUnknownException e) {
      throw GatheringTransaction.withoutId(request, e);
    }
  }

  private void remember(QueueName queue, int number) {
    if (queueNumbers.size() >= QUEUE_COUNT_MAX) {
      queueNumbers.clear();
    }
    queueNumbers.put(queue, number);
  }

  /** Forgets the queues' numbers and the unused births, so that they are not given again. */
  void forget() {
    queueNumbers.clear();
    births.clear();
  }
}
