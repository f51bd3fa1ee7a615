package io.millrace.cli.place;

import io.millrace.cli.text.Reason;
import io.millrace.management.JobEngineMXBean;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A connection to another process of this machine that has engines. */
final class Attachment implements AutoCloseable {

  /** An engine is seen shortly after it was opened. */
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
   * The engine that is meant.
   *
   * @throws AttachException there is none, or several are
   */
  JobEngineMXBean engine(EngineChoice choice) {
    return new Asked(pid).ask(() -> find(choice));
  }

  private JobEngineMXBean find(EngineChoice choice) {
    long endNs = System.nanoTime() + SEEN_WITHIN_NS;
    List<JobEngineMXBean> all = engines();
    List<JobEngineMXBean> meant = meant(all, choice);
    while (meant.isEmpty() && System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(LOOK_AGAIN_NS);
      all = engines();
      meant = meant(all, choice);
    }
    if (all.isEmpty()) {
      throw new AttachException("no Millrace engine is open in the process: pid=" + pid);
    }
    if (meant.size() != 1) {
      throw new AttachException(
          (meant.isEmpty()
                  ? "no such engine in the process"
                  : "several engines in the process, choose one by STORE or --store-name")
              + ": pid="
              + pid
              + ", engines="
              + all.stream().map(JobEngineMXBean::getName).collect(Collectors.joining(", ")));
    }
    return meant.get(0);
  }

  private static List<JobEngineMXBean> meant(List<JobEngineMXBean> all, EngineChoice choice) {
    return all.stream().filter(choice::isMet).toList();
  }

  private List<JobEngineMXBean> engines() {
    try {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      ObjectName pattern =
          new ObjectName(JobEngineMXBean.DOMAIN + ":type=" + JobEngineMXBean.TYPE + ",*");
      Set<ObjectName> names = new TreeSet<>(server.queryNames(pattern, null));
      List<JobEngineMXBean> engines = new ArrayList<>();
      for (ObjectName name : names) {
        engines.add(JMX.newMXBeanProxy(server, name, JobEngineMXBean.class));
      }
      return engines;
    } catch (IOException e) {
      throw new Asked(pid).unreachable(e);
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
