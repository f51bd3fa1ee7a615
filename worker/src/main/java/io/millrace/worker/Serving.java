package io.millrace.worker;

import io.millrace.api.JobQueues;
import io.millrace.api.QueueName;
import io.millrace.engine.noted.Noted;
import io.millrace.worker.Handlers.TypeHandler;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a worker tells its engine: that it serves the queues of its types, also while it is too busy
 * to claim. Not while it is paused, for then nobody may come to them. Any thread.
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

  /** The worker claims when it has room. */
  synchronized void begin() {
    if (end == null && !isOver) {
      end = engine.map(it -> it.serve(queues, tenantsOf)).orElse(null);
    }
  }

  /** The worker claims nothing, until it begins again. */
  synchronized void pause() {
    if (end != null) {
      end.run();
      end = null;
    }
  }

  /** The worker claims nothing any more. */
  @Override
  public synchronized void close() {
    isOver = true;
    pause();
  }
}
