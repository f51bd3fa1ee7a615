package io.millrace.jmh.servers;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.agrona.CloseHelper;

/**
 * Connections to a server, as many as there are callers at a time. Any thread.
 *
 * <p>The one that was given back first is taken first: what a server has sent ahead to one of them
 * is not left there when there are fewer callers.
 */
final class Connections<C extends AutoCloseable> implements AutoCloseable {

  private final Supplier<C> opener;
  private final Queue<C> all = new ConcurrentLinkedQueue<>();
  private final Queue<C> idle = new ConcurrentLinkedQueue<>();

  Connections(Supplier<C> opener) {
    this.opener = opener;
  }

  /** Takes a connection that nobody else has, a new one if need be. */
  C take() {
    C connection = idle.poll();
    if (connection != null) {
      return connection;
    }
    C opened = opener.get();
    all.add(opened);
    return opened;
  }

  void giveBack(C connection) {
    idle.add(connection);
  }

  @Override
  public void close() {
    CloseHelper.closeAll(all);
  }
}
