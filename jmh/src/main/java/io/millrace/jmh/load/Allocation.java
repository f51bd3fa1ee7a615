package io.millrace.jmh.load;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The bytes that threads of this process have allocated. Asked through the management server, for
 * the type that has the operation is in a package of the JDK's maker.
 */
final class Allocation {

  private static final String THREADING = "java.lang:type=Threading";

  private Allocation() {}

  /** Returns the bytes allocated so far by all threads that live now, but for the calling one. */
  static long bytes() {
    long[] ids =
        Arrays.stream(ManagementFactory.getThreadMXBean().getAllThreadIds())
            .filter(id -> id != Thread.currentThread().getId())
            .toArray();
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      Object bytes =
          server.invoke(
              new ObjectName(THREADING),
              "getThreadAllocatedBytes",
              new Object[] {ids},
              new String[] {long[].class.getName()});
      return Arrays.stream((long[]) bytes).filter(each -> each > 0).sum();
    } catch (JMException e) {
      throw new IllegalStateException("this JVM does not tell what its threads allocate", e);
    }
  }
}
