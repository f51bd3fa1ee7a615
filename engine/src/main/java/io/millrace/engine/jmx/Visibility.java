package io.millrace.engine.jmx;

import io.millrace.management.JobEngineMBean;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The visibility of an engine, or of a worker, to others in its process and to tools that attach to
 * it.
 *
 * <p>It begins on a thread of its own: the first use of the MBean server in a process takes a
 * quarter of a second, for which no opening should wait. Where there is no JMX, or it is forbidden,
 * the engine works without being seen; so nothing in this class may name a type of JMX.
 */
public final class Visibility implements AutoCloseable {

  /** The name of the thread that makes an engine or a worker visible, and ends when it is. */
  public static final String THREAD_NAME = "millrace-jmx";

  private static final Logger LOG = LoggerFactory.getLogger(Visibility.class);

  private final String name;
  private final FutureTask<Boolean> registering;
  private @Nullable AutoCloseable registration;

  private Visibility(VisibleBean<?> bean) {
    this.name = bean.name();
    this.registering = new FutureTask<>(() -> register(bean), true);
  }

  /** Lets the engine be seen soon. */
  public static Visibility begin(EngineAccess engine) {
    return begin(
        new VisibleBean<>(
            JobEngineMBean.TYPE,
            engine.label().name(),
            JobEngineMBean.class,
            new EngineBean(engine)));
  }

  /** Lets the bean be seen soon. */
  public static Visibility begin(VisibleBean<?> bean) {
    Visibility visibility = new Visibility(bean);
    Thread thread = new Thread(visibility.registering, THREAD_NAME);
    thread.setDaemon(true);
    thread.start();
    return visibility;
  }

  /** Returns the name by which the engine or worker is seen. */
  public String name() {
    return name;
  }

  /** Ends the visibility. Idempotent. */
  @Override
  public synchronized void close() {
    awaitRegistered();
    AutoCloseable ended = registration;
    registration = null;
    if (ended == null) {
      return;
    }
    try {
      ended.close();
    } catch (Exception e) {
      LOG.debug("bean could not be taken out of JMX", e);
    }
  }

  private void register(VisibleBean<?> bean) {
    try {
      registration = Registration.of(bean);
    } catch (Exception | LinkageError e) {
      LOG.info("{} cannot be seen through JMX: reason={}", bean.type(), e.toString());
    }
  }

  private void awaitRegistered() {
    boolean wasInterrupted = false;
    while (!registering.isDone()) {
      try {
        registering.get();
      } catch (InterruptedException e) {
        wasInterrupted = true;
      } catch (ExecutionException e) {
        LOG.debug("bean was not seen through JMX", e);
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
