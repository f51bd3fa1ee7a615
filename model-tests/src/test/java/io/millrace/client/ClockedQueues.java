package io.millrace.client;

import java.util.function.LongSupplier;

/** Queues of a server whose leases last by the clock of a test. */
public final class ClockedQueues {

  private ClockedQueues() {}

  public static RemoteQueues connect(int port, LongSupplier nowNs) {
    return RemoteQueues.connect(
        "millrace://127.0.0.1:" + port, ClientOptions.DEFAULT.closeAtShutdown(false), nowNs);
  }
}
