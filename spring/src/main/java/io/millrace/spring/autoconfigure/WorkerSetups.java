package io.millrace.spring.autoconfigure;

import io.millrace.api.JobQueues;
import io.millrace.spring.WorkerCustomizer;
import io.millrace.spring.autoconfigure.MillraceProperties.WorkerProperties;
import io.millrace.worker.Middleware;
import io.millrace.worker.Worker;
import io.millrace.worker.WorkerDriver;
import io.millrace.worker.WorkerListener;
import io.millrace.worker.WorkerSetup;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.system.JavaVersion;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** Makes the setup of the worker anew for each start. */
final class WorkerSetups implements Supplier<WorkerSetup> {

  private static final String VIRTUAL_THREADS = "millrace.worker.virtual-threads";

  private final JobQueues queues;
  private final WorkerProperties properties;
  private final HandlerMethods methods;
  private final Additions additions;
  private final boolean hasVirtualThreads;

  /** Beans that add to the worker, each in its order. */
  record Additions(
      List<Middleware> middlewares,
      List<WorkerListener> listeners,
      List<WorkerCustomizer> customizers) {}

  WorkerSetups(
      JobQueues queues,
      MillraceProperties properties,
      HandlerMethods methods,
      Additions additions,
      Environment environment) {
    this.queues = queues;
    this.properties = properties.worker();
    this.methods = methods;
    this.additions = additions;
    this.hasVirtualThreads = hasVirtualThreads(this.properties.virtualThreads(), environment);
  }

  /**
   * Tells whether handlers run on virtual threads. As everywhere in Spring Boot, what the
   * application wants in general counts where there are any.
   */
  private static boolean hasVirtualThreads(@Nullable Boolean own, Environment environment) {
    boolean areThere = JavaVersion.getJavaVersion().isEqualOrNewerThan(JavaVersion.TWENTY_ONE);
    if (own == null) {
      return areThere
          && environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false);
    }
    if (own && !areThere) {
      throw new ConfigurationFault(
          VIRTUAL_THREADS + " is set, and Java " + JavaVersion.getJavaVersion() + " has none",
          "Run the application with Java 21 or later, or leave " + VIRTUAL_THREADS + " out");
    }
    return own;
  }

  /**
   * Returns what is known of the worker before it starts.
   *
   * @throws ConfigurationFault a property is out of its range
   */
  SpringWorker.Settings settings() {
    basics();
    return new SpringWorker.Settings(name(), concurrency(), properties.stopGrace());
  }

  @Override
  public WorkerSetup get() {
    WorkerSetup setup = basics();
    methods.addTo(setup);
    if (methods.isEmpty()) {
      setup.schedules(); // a worker needs something to do, and somebody may put schedules
    }
    additions.middlewares().forEach(setup::use);
    additions.listeners().forEach(setup::listener);
    additions.customizers().forEach(each -> each.customize(setup));
    return setup;
  }

  private WorkerSetup basics() {
    try {
      WorkerSetup setup =
          Worker.on(queues)
              .name(name())
              .concurrency(concurrency())
              .stopAtShutdown(properties.stopGrace());
      if (properties.allTenants()) {
        setup.allTenants();
      }
      // Tests in virtual time run handlers on their own thread.
      return hasVirtualThreads && !(queues instanceof WorkerDriver)
          ? setup.executor(virtualThreads())
          : setup;
    } catch (IllegalArgumentException e) {
      throw new ConfigurationFault(
          "a property of millrace.worker is wrong: " + e.getMessage(),
          "Set it to a value that is allowed",
          e);
    }
  }

  private String name() {
    return Objects.requireNonNullElseGet(
        properties.name(), () -> "worker-" + ProcessHandle.current().pid());
  }

  private int concurrency() {
    return Objects.requireNonNullElseGet(
        properties.concurrency(), () -> 2 * Runtime.getRuntime().availableProcessors());
  }

  private Executor virtualThreads() {
    SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor(name() + "-");
    executor.setVirtualThreads(true);
    return executor;
  }
}
