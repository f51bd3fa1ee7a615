package io.millrace.model.soak;

import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.engine.JobEngine;
import io.millrace.management.JobEngineMBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/**
 * Somebody at a console, while others work: lists all jobs page by page without haste, through JMX
 * and through the engine, and verifies the store, over and over.
 */
final class SoakScans implements Runnable {

  private static final long THINK_NS = TimeUnit.MILLISECONDS.toNanos(5);

  /** The others enqueue behind as fast as this one reads: without an end it would never come to. */
  private static final int PAGES_MAX = SoakWorker.BACKLOG / JobEngineMBean.JOB_PAGE_SIZE;

  private final JobEngine engine;
  private final String queue;
  private final Supplier<SoakPhase> phase;
  private long pageCount;
  private long verifyCount;
  private long problemCount;

  SoakScans(JobEngine engine, String queue, Supplier<SoakPhase> phase) {
    this.engine = engine;
    this.queue = queue;
    this.phase = phase;
  }

  @Override
  public void run() {
    JobEngineMBean bean = bean();
    while (phase.get() != SoakPhase.OVER || verifyCount == 0) {
      if (phase.get() == SoakPhase.SCANNED || phase.get() == SoakPhase.OVER) {
        peekAll(bean);
        listAll();
        problemCount += (Long) bean.verify().get("problemCount");
        verifyCount++;
      }
      LockSupport.parkNanos(THINK_NS);
    }
  }

  private void peekAll(JobEngineMBean bean) {
    String cursor = "";
    for (int i = 0; i < PAGES_MAX && cursor != null && phase.get() == SoakPhase.SCANNED; i++) {
      CompositeData page = bean.peek(queue, "", "READY", cursor.isEmpty() ? null : cursor);
      pageCount++;
      cursor = (String) page.get("next");
      LockSupport.parkNanos(THINK_NS);
    }
  }

  private void listAll() {
    Page<Job> page = engine.list(JobFilter.ALL, PageRequest.first(1_000));
    pageCount++;
    for (int i = 0; i < PAGES_MAX && page.next().isPresent(); i++) {
      page = engine.list(JobFilter.ALL, PageRequest.after(page.next().get(), 1_000));
      pageCount++;
      LockSupport.parkNanos(THINK_NS);
    }
  }

  private static JobEngineMBean bean() {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName all =
          new ObjectName(JobEngineMBean.DOMAIN + ":type=" + JobEngineMBean.TYPE + ",*");
      ObjectName name = server.queryNames(all, null).iterator().next();
      return JMX.newMBeanProxy(server, name, JobEngineMBean.class);
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException(e);
    }
  }

  long pageCount() {
    return pageCount;
  }

  long verifyCount() {
    return verifyCount;
  }

  long problemCount() {
    return problemCount;
  }
}
