package io.millrace.cli.place;

import io.millrace.cli.place.OtherProcess.Whom;
import io.millrace.cli.text.Reason;
import io.millrace.engine.jmx.Visibility;
import io.millrace.management.JobEngineMBean;
import io.millrace.worker.management.WorkerMBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.InstanceNotFoundException;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A connection to another process of this machine that has engines or workers. */
final class Attachment implements AutoCloseable {

  /**
   * The time within which an engine is visible after it was opened, and a worker after it was
   * started: as long as their process has a thread that makes one so.
   */
  private static final long SEEN_WITHIN_NS = TimeUnit.SECONDS.toNanos(2);

  private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final long pid;
  private final JMXConnector connector;

  private Attachment(long pid, JMXConnector connector) {
    this.pid = pid;
    this.connector = connector;
  }

  /**
   * Connects to the process.
   *
   * @throws AttachException that is not possible, and why
   */
  @SuppressWarnings("BanJNDI") // the process is one of this user's, on this machine
  static Attachment to(long pid) {
    String address = new JavaProcess(pid).startAgent();
    try {
      return new Attachment(pid, JMXConnectorFactory.connect(new JMXServiceURL(address)));
    } catch (IOException | SecurityException e) {
      throw new AttachException(
          "the process has ended, or its management agent cannot be reached: pid="
              + pid
              + ", reason="
              + Reason.root(e),
          e);
    }
  }

  /**
   * Returns the engine that is meant.
   *
   * @throws AttachException there is none, or several are
   */
  JobEngineMBean engine(EngineChoice choice) {
    return new OtherProcess(pid, Whom.ENGINE).ask(() -> find(choice));
  }

  private JobEngineMBean find(EngineChoice choice) {
    Seen<JobEngineMBean> seen =
        look(JobEngineMBean.TYPE, JobEngineMBean.class, bean -> choice.isMet(bean.told()));
    if (seen.all().isEmpty()) {
      throw new AttachException("no Millrace engine is open in the process: pid=" + pid);
    }
    if (seen.meant().size() != 1) {
      throw new AttachException(
          (seen.meant().isEmpty()
                  ? "no such engine in the process"
                  : "several engines in the process, choose one by --store-name")
              + ": pid="
              + pid
              + ", engines="
              + seen.all().stream()
                  .map(bean -> bean.told().getName())
                  .collect(Collectors.joining(", ")));
    }
    return seen.meant().get(0).told();
  }

  /**
   * Returns the workers that are meant, in the order of their names.
   *
   * @throws AttachException there are none
   */
  List<LiveWorker> workers(WorkerChoice choice) {
    return new OtherProcess(pid, Whom.WORKER).ask(() -> find(choice));
  }

  private List<LiveWorker> find(WorkerChoice choice) {
    Seen<WorkerMBean> seen =
        look(
            WorkerMBean.TYPE,
            WorkerMBean.class,
            bean -> choice.isMet(bean.told(), bean.instance()));
    if (seen.all().isEmpty()) {
      throw new AttachException("no Millrace worker runs in the process: pid=" + pid);
    }
    if (seen.meant().isEmpty()) {
      throw new AttachException(
          "no such worker in the process: pid=" + pid + ", workers=" + labels(workers(seen.all())));
    }
    return workers(seen.meant());
  }

  private List<LiveWorker> workers(List<Bean<WorkerMBean>> beans) {
    return sorted(beans.stream().map(this::worker));
  }

  private LiveWorker worker(Bean<WorkerMBean> bean) {
    OtherProcess process = new OtherProcess(pid, Whom.WORKER);
    return new LiveWorker(process, bean.told(), bean.told().getName(), bean.instance());
  }

  private static List<LiveWorker> sorted(Stream<LiveWorker> workers) {
    return workers
        .sorted(Comparator.comparing(LiveWorker::name).thenComparing(LiveWorker::instance))
        .toList();
  }

  /** Returns the workers of an engine that are seen now, in the order of their names. */
  List<LiveWorker> workersOf(String engine) {
    return new OtherProcess(pid, Whom.WORKER)
        .ask(
            () ->
                sorted(
                    beans(WorkerMBean.TYPE, WorkerMBean.class).stream()
                        .flatMap(bean -> workerOf(engine, bean).stream())));
  }

  /** Returns the worker if it is the engine's, and has not stopped meanwhile. */
  private Optional<LiveWorker> workerOf(String engine, Bean<WorkerMBean> bean) {
    try {
      return engine.equals(bean.told().getEngine()) ? Optional.of(worker(bean)) : Optional.empty();
    } catch (UndeclaredThrowableException e) {
      if (e.getUndeclaredThrowable() instanceof InstanceNotFoundException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  static String labels(List<LiveWorker> workers) {
    return workers.stream().map(LiveWorker::label).collect(Collectors.joining(", "));
  }

  /** An engine or worker in the process that can be asked. */
  private record Bean<T>(ObjectName name, T told) {

    /**
     * Returns its number among those of one name; the first, which has none in its object name, is
     * 1.
     */
    int instance() {
      String number = name.getKeyProperty("instance");
      return number == null ? 1 : Integer.parseInt(number);
    }
  }

  /** All beans of a type, and those of them that are meant. */
  private record Seen<T>(List<Bean<T>> all, List<Bean<T>> meant) {}

  private <T> Seen<T> look(String type, Class<T> shape, Predicate<Bean<T>> isMeant) {
    long endNs = System.nanoTime() + SEEN_WITHIN_NS;
    Seen<T> seen = see(type, shape, isMeant);
    boolean isLast = false;
    while (seen.meant().isEmpty() && !isLast) {
      // Asked before looking: what became visible in between is seen.
      isLast = !isMakingVisible() || System.nanoTime() - endNs >= 0;
      if (!isLast) {
        LockSupport.parkNanos(LOOK_AGAIN_NS);
      }
      seen = see(type, shape, isMeant);
    }
    return seen;
  }

  private <T> Seen<T> see(String type, Class<T> shape, Predicate<Bean<T>> isMeant) {
    List<Bean<T>> all = beans(type, shape);
    return new Seen<>(all, all.stream().filter(isMeant).toList());
  }

  /** Tells whether the process is about to show an engine or a worker that nobody sees yet. */
  private boolean isMakingVisible() {
    try {
      ThreadMXBean threads =
          ManagementFactory.newPlatformMXBeanProxy(
              connector.getMBeanServerConnection(),
              ManagementFactory.THREAD_MXBEAN_NAME,
              ThreadMXBean.class);
      return Stream.of(threads.getThreadInfo(threads.getAllThreadIds()))
          .filter(Objects::nonNull) // it has ended meanwhile
          .map(ThreadInfo::getThreadName)
          .anyMatch(Visibility.THREAD_NAME::equals);
    } catch (IOException e) {
      throw new OtherProcess(pid, Whom.ENGINE).unreachable(e);
    }
  }

  private <T> List<Bean<T>> beans(String type, Class<T> shape) {
    try {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      ObjectName pattern = new ObjectName(JobEngineMBean.DOMAIN + ":type=" + type + ",*");
      Set<ObjectName> names = new TreeSet<>(server.queryNames(pattern, null));
      List<Bean<T>> beans = new ArrayList<>();
      for (ObjectName name : names) {
        beans.add(new Bean<>(name, JMX.newMBeanProxy(server, name, shape)));
      }
      return beans;
    } catch (IOException e) {
      throw new OtherProcess(pid, Whom.ENGINE).unreachable(e);
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException("pattern of object names is wrong", e);
    }
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException e) {
      // The process has ended meanwhile: there is nothing left to close.
      return;
    }
  }
}
