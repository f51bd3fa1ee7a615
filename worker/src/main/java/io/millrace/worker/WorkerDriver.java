package io.millrace.worker;

import java.util.function.BooleanSupplier;

/**
 * Queues that run the jobs of their workers by themselves, one after the other, as tests in virtual
 * time do: a worker on such queues claims nothing of its own accord.
 */
public interface WorkerDriver {

  /**
   * Takes on a worker that is started. From now on its jobs are run by calling {@code next}.
   *
   * @param next runs the next job that is ready, on the calling thread, until its end is committed
   *     and its listeners have been told; answers whether there was one
   */
  void drive(BooleanSupplier next);

  /**
   * Returns the listener that is told what such workers do, after their own listeners; one that
   * does nothing, unless overridden.
   */
  default WorkerListener listener() {
    return new WorkerListener() {};
  }

  /** Lets go of a worker that is stopped: {@code next} is to be called no more. */
  void release(BooleanSupplier next);
}
