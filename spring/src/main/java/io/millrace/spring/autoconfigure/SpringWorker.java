package io.millrace.spring.autoconfigure;

import io.millrace.api.CancelResult;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.worker.RunningJob;
import io.millrace.worker.StopReport;
import io.millrace.worker.Worker;
import io.millrace.worker.WorkerSetup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * The worker of an application: starts when all else has started, and stops before all else, within
 * its grace. Each start makes a worker anew, as an application context may be stopped and started
 * again. Before the first start nothing runs, and what acts on a running worker is refused.
 *
 * <p>Stopping blocks the thread that closes the context: the engine, which closes afterwards, must
 * not be gone while jobs are handed back.
 */
final class SpringWorker implements Worker, SmartLifecycle {

  /** The phase that starts last and stops first. */
  static final int PHASE = DEFAULT_PHASE;

  private final Supplier<WorkerSetup> setup;
  private final JobQueues queues;
  private final String name;
  private final int concurrency;
  private final Duration grace;
  private volatile @Nullable Worker worker;
  private volatile boolean isClosed;

  /**
   * Creates the worker.
   *
   * @param setup makes the setup of each start; of this name and concurrency
   */
  SpringWorker(Supplier<WorkerSetup> setup, JobQueues queues, Settings settings) {
    this.setup = setup;
    this.queues = queues;
    this.name = settings.name();
    this.concurrency = settings.concurrency();
    this.grace = settings.grace();
  }

  /** The facts of the worker that are known before it starts. */
  record Settings(String name, int concurrency, Duration grace) {}

  @Override
  public synchronized void start() {
    if (worker == null) {
      worker = setup.get().start();
      isClosed = false;
    }
  }

  @Override
  public void stop() {
    @Nullable Worker running = worker;
    if (running != null) {
      running.stop(grace);
      worker = null;
    }
  }

  @Override
  public boolean isRunning() {
    return worker != null;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  private Worker started() {
    @Nullable Worker running = worker;
    if (running == null) {
      throw new IllegalStateException(
          "worker does not run: worker="
              + name
              + "; it starts when the application has started, and ends with it");
    }
    return running;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<RunningJob> running() {
    @Nullable Worker running = worker;
    return running == null ? List.of() : running.running();
  }

  @Override
  public Map<String, Long> unknownTypes() {
    @Nullable Worker running = worker;
    return running == null ? Map.of() : running.unknownTypes();
  }

  /**
   * Stops claiming jobs.
   *
   * @throws IllegalStateException the worker does not run
   */
  @Override
  public void pause() {
    started().pause();
  }

  /**
   * Claims jobs again.
   *
   * @throws IllegalStateException the worker does not run
   */
  @Override
  public void resume() {
    started().resume();
  }

  @Override
  public boolean isPaused() {
    @Nullable Worker running = worker;
    return running != null && running.isPaused();
  }

  @Override
  public int concurrency() {
    @Nullable Worker running = worker;
    return running == null ? concurrency : running.concurrency();
  }

  /**
   * Sets the total weight of jobs that may run at a time, until the worker stops.
   *
   * @throws IllegalStateException the worker does not run
   */
  @Override
  public void concurrency(int weight) {
    started().concurrency(weight);
  }

  @Override
  public int busy() {
    @Nullable Worker running = worker;
    return running == null ? 0 : running.busy();
  }

  @Override
  public CancelResult cancel(JobId job) {
    @Nullable Worker running = worker;
    return running == null ? queues.cancel(job) : running.cancel(job);
  }

  @Override
  public StopReport stop(Duration within) {
    isClosed = true;
    @Nullable Worker running = worker;
    if (running == null) {
      return new StopReport(0, 0, 0);
    }
    StopReport report = running.stop(within);
    worker = null;
    return report;
  }

  @Override
  public boolean isStopped() {
    return isClosed;
  }

  @Override
  public void close() {
    stop(grace);
  }
}
