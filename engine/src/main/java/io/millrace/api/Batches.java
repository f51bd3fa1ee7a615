package io.millrace.api;

import io.millrace.MillraceException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The batches of a store, and the operations on them. Any thread may use it.
 *
 * <p>Every operation may throw the exceptions that those of {@link JobQueue} throw, and {@link
 * IllegalStateException} inside the function of a transaction.
 */
public interface Batches extends BatchReader {

  /**
   * Starts a batch with all jobs that were added to it, in one commit or not at all. It is sealed:
   * it is over once none of its jobs is left, at once if it has none. Until then its jobs may add
   * others ({@link EnqueueOptions#batch}).
   *
   * <p>A job whose {@link UniqueKey} another job holds is not added, as with every enqueue: that
   * other job stays as it is, and does not count in the batch.
   *
   * @return the id of the batch
   * @throws EnqueueRefusedException a queue is full or being drained, or a job that comes after the
   *     batch is to join a batch that takes none; nothing happened
   * @throws NoSuchBatchException there is no such outer batch; nothing happened
   * @throws BatchOverException the outer batch takes no more; nothing happened
   * @throws IllegalArgumentException batches are within each other too deep; nothing happened
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  BatchId start(Batch batch);

  /**
   * Begins a batch with all jobs that were added to it, as {@link #start} does, but without its
   * seal: more jobs may be added ({@link EnqueueOptions#batch}), and it is not over before {@link
   * #seal} was called, even if none of its jobs is left.
   *
   * @return the id of the batch
   * @throws EnqueueRefusedException as {@link #start}
   * @throws NoSuchBatchException as {@link #start}
   * @throws BatchOverException as {@link #start}
   * @throws IllegalArgumentException as {@link #start}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  BatchId open(Batch batch);

  /**
   * Seals a batch, which is over from then on when none of its jobs is left: at once if that is so
   * already. Does nothing to one that is sealed.
   *
   * @throws NoSuchBatchException there is no such batch
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  void seal(BatchId id);

  /**
   * Cancels a batch. First it is sealed and takes no more jobs, in a commit of its own; then each
   * of its jobs is cancelled, as {@link MatchingJobs#cancel} does: those that wait are removed, and
   * the holders of the others are asked to stop; and so are the batches {@link Batch#within} it.
   * What comes after the batch, comes when the last of its jobs has ended. May be repeated, also
   * after an exception. Costs a look at all jobs of the queues that the batch has jobs in, and at
   * all batches.
   *
   * @return how often each result occurred
   * @throws NoSuchBatchException there is no such batch
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  Map<CancelResult, Long> cancel(BatchId id);

  /**
   * Returns a future of the batch as it is when it is over. It is completed when the end is as
   * durable as the engine's own work is, never before; at once if the batch is over already. These
   * waits are limited, and end, as those of {@link JobQueues#await}. The future fails with {@link
   * NoSuchBatchException} if there is no such batch.
   *
   * @throws IllegalStateException at once, inside the function of a transaction
   */
  @CheckReturnValue
  CompletableFuture<BatchStats> await(BatchId id);
}
