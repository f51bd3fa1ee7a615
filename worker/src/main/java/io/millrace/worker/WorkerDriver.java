package io.millrace.worker;

import java.util.function.BooleanSupplier;

/**
 * Queues that have the jobs of their workers run by themselves, one after the other, as those of
 * tests in virtual time do: a worker on such queues claims nothing of its own accord.
 */
public interface WorkerDriver {

  /**
   * A worker is started. From now on its jobs are run by calling this.
   *
   * @param next runs the next job that is ready, on the calling thread, until its end is committed
   *     and its listeners have been told; answers whether there was one
   */
  void drive(BooleanSupplier next);

  /** Who is told what such workers do, after their own listeners; nobody, unless overridden. */
  default WorkerListener listener() {
    return new WorkerListener() {};
  }

  /** A worker is stopped: it is to be called no more. */
  void release(BooleanSupplier next);
}
