package io.millrace.spring.autoconfigure;

import io.millrace.console.ConsoleSetup;
import io.millrace.console.HandledConsole;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * The console of an application, from its start to its end. It ends after the worker, so that one
 * can see what that waits for, and before the server waits for requests under way: pages with live
 * figures would keep it. Each start makes one anew, with the same token.
 */
final class ConsoleLife implements SmartLifecycle, Supplier<Optional<HandledConsole>> {

  private final Supplier<ConsoleSetup> setup;
  private volatile @Nullable HandledConsole console;

  ConsoleLife(Supplier<ConsoleSetup> setup) {
    this.setup = setup;
  }

  /** Returns the console; empty before it starts and after it ends. */
  @Override
  public Optional<HandledConsole> get() {
    return Optional.ofNullable(console);
  }

  @Override
  public synchronized void start() {
    if (console == null) {
      console = setup.get().handler();
    }
  }

  @Override
  public synchronized void stop() {
    @Nullable HandledConsole running = console;
    if (running != null) {
      console = null;
      running.close();
    }
  }

  @Override
  public boolean isRunning() {
    return console != null;
  }

  @Override
  public int getPhase() {
    return SpringWorker.PHASE - 1;
  }
}
