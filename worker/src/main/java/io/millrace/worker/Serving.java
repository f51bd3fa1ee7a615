package io.millrace.worker;

import io.millrace.api.JobQueues;
import io.millrace.api.QueueName;
import io.millrace.engine.noted.Noted;
import io.millrace.worker.Handlers.TypeHandler;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A worker's notice to its engine that it serves the queues of its types, which holds also while
 * the worker is too busy to claim. It is withdrawn while the worker is paused, for then perhaps
 * nobody serves them. Any thread.
 */
final class Serving implements AutoCloseable {

  private final Optional<Noted> engine;
  private final List<QueueName> queues;
  private final List<String> tenantsOf;
  private @Nullable Runnable end;
  private boolean isOver;

  Serving(JobQueues all, Handlers handlers) {
    List<QueueName> named = handlers.all().stream().map(TypeHandler::queue).distinct().toList();
    boolean isAcrossTenants = handlers.isAcrossTenants();
    this.engine = Noted.of(all);
    this.queues = isAcrossTenants ? List.of() : named;
    this.tenantsOf =
        isAcrossTenants ? named.stream().map(QueueName::name).distinct().toList() : List.of();
  }

  /** Gives the notice: the worker claims when it has room. */
  synchronized void begin() {
    if (end == null && !isOver) {
      end = engine.map(it -> it.serve(queues, tenantsOf)).orElse(null);
    }
  }

  /** Withdraws the notice until the worker begins again. */
  synchronized void pause() {
    if (end != null) {
      end.run();
      end = null;
    }
  }

  /** Withdraws the notice for good. */
  @Override
  public synchronized void close() {
    isOver = true;
    pause();
  }
}
