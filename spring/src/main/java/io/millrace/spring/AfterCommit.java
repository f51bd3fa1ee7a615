package io.millrace.spring;

import io.millrace.MillraceException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Enqueues jobs when the Spring transaction of the current thread has committed, and not if it is
 * rolled back. A bean; any thread may use it.
 *
 * <p><b>This is not one transaction with the database's, and a job can be lost.</b> The jobs are
 * enqueued by {@link TransactionSynchronization#afterCommit}: the database has committed before,
 * and nobody remembers the jobs. If the process dies between the two commits, the rows are there
 * and the jobs are not. The same holds if the queue refuses them or the engine cannot store them:
 * then the caller of the transactional method gets the exception although its transaction has
 * committed. Use it where that may happen once in a while, such as for a mail that can be asked for
 * again. Where it may not, use an outbox: {@code millrace-outbox-jdbc} writes a row in the same
 * transaction, and makes that row a job.
 *
 * <p>The jobs of one transaction are enqueued in one commit of the engine, all or none. A rollback
 * to a savepoint takes back those that came after it. For transactions of the current thread alone:
 * reactive ones are not seen.
 */
public final class AfterCommit {

  private final JobQueues queues;

  public AfterCommit(JobQueues queues) {
    this.queues = Objects.requireNonNull(queues, "queues");
  }

  /**
   * Enqueues a job once the current transaction has committed. The payload is written now. See this
   * class for how the job can be lost.
   *
   * @throws IllegalStateException no transaction is active on this thread; nothing happens
   * @throws IllegalArgumentException the payload is out of its range; nothing happens
   */
  public <T> void enqueue(JobType<T> type, T payload) {
    add(new Pending(type.queueName(), type.newJob(payload)));
  }

  /**
   * Enqueues a job with options of its own once the current transaction has committed. A delay runs
   * from then on.
   *
   * @throws IllegalStateException no transaction is active on this thread; nothing happens
   * @throws IllegalArgumentException the payload or an option is out of its range; nothing happens
   */
  public <T> void enqueue(JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    add(new Pending(type.queueName(), type.newJob(payload, options)));
  }

  private record Pending(QueueName queue, NewJob job) {}

  private void add(Pending pending) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()
        || !TransactionSynchronizationManager.isSynchronizationActive()) {
      throw new IllegalStateException(
          "no transaction is active on this thread: queue="
              + pending.queue()
              + "; call this inside a transactional method, or enqueue at once by JobQueues");
    }
    jobsOfTransaction().pending.add(pending);
  }

  private Jobs jobsOfTransaction() {
    for (TransactionSynchronization each :
        TransactionSynchronizationManager.getSynchronizations()) {
      if (each instanceof Jobs jobs && jobs.owner() == this) {
        return jobs;
      }
    }
    Jobs jobs = new Jobs();
    TransactionSynchronizationManager.registerSynchronization(jobs);
    return jobs;
  }

  /** The jobs of one transaction, for its thread. */
  private final class Jobs implements TransactionSynchronization {

    private final List<Pending> pending = new ArrayList<>();
    private final Map<Object, Integer> savepoints = new IdentityHashMap<>();

    AfterCommit owner() {
      return AfterCommit.this;
    }

    @Override
    public void savepoint(Object savepoint) {
      savepoints.put(savepoint, pending.size());
    }

    @Override
    public void savepointRollback(Object savepoint) {
      // One that is not known was made before the first of these jobs.
      @Nullable Integer kept = savepoints.get(savepoint);
      pending.subList(kept == null ? 0 : kept, pending.size()).clear();
    }

    /**
     * Enqueues the jobs.
     *
     * @throws MillraceException they are not enqueued, none of them
     */
    @Override
    public void afterCommit() {
      if (pending.size() == 1) {
        Pending only = pending.get(0);
        queues.queue(only.queue()).enqueue(only.job().payload(), only.job().options());
      } else if (!pending.isEmpty()) {
        queues
            .inTransaction(
                tx ->
                    pending.forEach(
                        it -> tx.enqueue(it.queue(), it.job().payload(), it.job().options())))
            .orThrow();
      }
    }
  }
}
