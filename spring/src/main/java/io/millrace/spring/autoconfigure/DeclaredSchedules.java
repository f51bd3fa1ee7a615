package io.millrace.spring.autoconfigure;

import io.millrace.worker.Schedules;
import org.springframework.context.SmartLifecycle;

/**
 * The schedules of recurring methods: stored when the application starts, before its worker does.
 * Those that it had before and has no more are removed.
 */
final class DeclaredSchedules implements SmartLifecycle {

  private final Schedules schedules;
  private final HandlerMethods methods;
  private final String owner;
  private volatile boolean isRunning;

  DeclaredSchedules(Schedules schedules, HandlerMethods methods, String owner) {
    this.schedules = schedules;
    this.methods = methods;
    this.owner = owner;
  }

  /**
   * Stores the schedules.
   *
   * @throws ConfigurationFault another application has declared one of them
   */
  @Override
  public void start() {
    try {
      schedules.declare(owner, methods.schedules());
    } catch (IllegalStateException e) {
      throw new ConfigurationFault(
          "schedules cannot be declared: " + e.getMessage(),
          "If the application was given another name, set millrace.schedules.owner to the one"
              + " before",
          e);
    }
    isRunning = true;
  }

  @Override
  public void stop() {
    isRunning = false;
  }

  @Override
  public boolean isRunning() {
    return isRunning;
  }

  @Override
  public int getPhase() {
    return SpringWorker.PHASE - 1;
  }
}
