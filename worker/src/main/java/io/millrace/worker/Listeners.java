package io.millrace.worker;

import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of a worker. An exception of one is logged, and harms no other. Any thread. */
final class Listeners {

  private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

  private final String worker;
  private final List<WorkerListener> all;
  private final ThreadLocal<Boolean> isTelling = ThreadLocal.withInitial(() -> false);

  Listeners(String worker, List<WorkerListener> all) {
    this.worker = worker;
    this.all = List.copyOf(all);
  }

  /** Tells whether a listener is being called on this thread. */
  boolean isTelling() {
    return isTelling.get();
  }

  void tell(Consumer<WorkerListener> event) {
    if (all.isEmpty()) {
      return;
    }
    boolean wasTelling = isTelling.get();
    isTelling.set(true);
    try {
      all.forEach(listener -> tell(listener, event));
    } finally {
      isTelling.set(wasTelling);
    }
  }

  private void tell(WorkerListener listener, Consumer<WorkerListener> event) {
    try {
      event.accept(listener);
    } catch (Throwable e) {
      Telling.tell(() -> LOG.error("listener of a worker failed: worker={}", worker, e));
    }
  }
}
