package io.millrace.jmh.load;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** The virtual threads of Java 21 and later; Java 17, which we are compiled for, has none. */
public final class VirtualThreads {

  private VirtualThreads() {}

  public static boolean areThere() {
    return Runtime.version().feature() >= 21;
  }

  /**
   * Returns a virtual thread that has not started.
   *
   * @throws IllegalArgumentException this Java has none
   */
  static Thread unstarted(Runnable task) {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      return (Thread)
          Class.forName("java.lang.Thread$Builder")
              .getMethod("unstarted", Runnable.class)
              .invoke(builder, task);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "virtual threads need Java 21 or later: java=" + System.getProperty("java.version"), e);
    }
  }

  /**
   * Runs each task on a virtual thread of its own.
   *
   * @throws IllegalArgumentException this Java has none
   */
  static Executor executor() {
    try {
      return (Executor) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "--workload virtual needs Java 21 or later: java="
              + System.getProperty("java.version")
              + "; take the workload worker",
          e);
    }
  }
}
