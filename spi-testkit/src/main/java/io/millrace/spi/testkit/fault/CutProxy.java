package io.millrace.spi.testkit.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A way to a server on this machine that a test breaks: it can be cut, slow, silent, or broken so
 * that one end does not hear of it. Any thread.
 */
public final class CutProxy implements AutoCloseable {

  private final ServerSocket listening;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final Object change = new Object();
  private volatile int serverPort;
  private volatile boolean isFrozen;
  private volatile long delayNs;

  /** End of a connection. */
  public enum End {
    CLIENT,
    SERVER
  }

  /** Creates a way to the server at this port. */
  public CutProxy(int serverPort) {
    this.serverPort = serverPort;
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    begin(this::accept);
  }

  /** Returns the port where clients connect. */
  public int port() {
    return listening.getLocalPort();
  }

  /** Lets later connections lead to another server. */
  public void serverPort(int port) {
    serverPort = port;
  }

  /** Ends all connections, in the midst of whatever they carry. */
  public void cut() {
    links.forEach(link -> link.end(false));
  }

  /** Ends all connections as {@link #cut} does, by resets. */
  public void reset() {
    links.forEach(link -> link.end(true));
  }

  /** Lets nothing through, or all again. */
  public void freeze(boolean value) {
    synchronized (change) {
      isFrozen = value;
      change.notifyAll();
    }
  }

  /** Lets whatever comes wait for so long before it goes on; zero for not at all. */
  public void delay(Duration each) {
    delayNs = each.toNanos();
  }

  /** Ends all connections, of which this end is not told: its words go nowhere. */
  public void halfOpen(End unaware) {
    links.forEach(link -> link.endBut(unaware));
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        begin(() -> join(client));
      } catch (IOException e) {
        cut(); // The proxy is closed.
      }
    }
  }

  private void join(Socket client) {
    try {
      Link link = new Link(client, new Socket(InetAddress.getLoopbackAddress(), serverPort));
      links.add(link);
      begin(() -> link.pump(link.client, link.server));
      link.pump(link.server, link.client);
    } catch (IOException e) {
      close(client, false); // There is no server now.
    }
  }

  private void hold() throws InterruptedException {
    LockSupport.parkNanos(delayNs);
    synchronized (change) {
      while (isFrozen) {
        change.wait();
      }
    }
  }

  /** A connection of a client, and the one to the server that belongs to it. */
  private final class Link {
    private final Socket client;
    private final Socket server;
    private volatile @Nullable Socket unaware;

    private Link(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    private void pump(Socket from, Socket to) {
      byte[] bytes = new byte[8_192];
      try {
        InputStream in = from.getInputStream();
        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
          hold();
          write(to, bytes, count);
        }
      } catch (IOException e) {
        // Cut.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (unaware == null || unaware == from) {
        end(false);
      }
    }

    private void write(Socket to, byte[] bytes, int count) throws IOException {
      try {
        to.getOutputStream().write(bytes, 0, count);
      } catch (IOException e) {
        if (unaware == null) {
          throw e;
        }
      }
    }

    private void end(boolean isReset) {
      links.remove(this);
      close(client, isReset);
      close(server, isReset);
    }

    private void endBut(End end) {
      unaware = end == End.CLIENT ? client : server;
      close(end == End.CLIENT ? server : client, true);
    }
  }

  private static void begin(Runnable work) {
    Thread thread = new Thread(work, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Socket socket, boolean isReset) {
    try {
      if (isReset) {
        socket.setSoLinger(true, 0);
      }
      socket.close();
    } catch (IOException e) {
      return; // It is closed already.
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
    freeze(false);
  }
}
