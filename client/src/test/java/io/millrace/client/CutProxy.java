package io.millrace.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A way to a server that can be cut, or frozen so that nothing goes through. */
final class CutProxy implements AutoCloseable {

  private final ServerSocket listening;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Object change = new Object();
  private volatile int serverPort;
  private volatile boolean isFrozen;

  CutProxy(int serverPort) {
    this.serverPort = serverPort;
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    begin(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  void serverPort(int port) {
    serverPort = port;
  }

  /** Ends all connections, in the midst of whatever they carry. */
  void cut() {
    open.forEach(CutProxy::close);
    open.clear();
  }

  /** Lets nothing through, or all again. */
  void freeze(boolean value) {
    synchronized (change) {
      isFrozen = value;
      change.notifyAll();
    }
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        open.add(client);
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        open.add(server);
        begin(() -> pump(client, server));
        begin(() -> pump(server, client));
      } catch (IOException e) {
        cut(); // There is no server now, or the proxy is closed.
      }
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] bytes = new byte[8_192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        awaitThaw();
        out.write(bytes, 0, count);
      }
    } catch (IOException e) {
      // Cut.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitThaw() throws InterruptedException {
    synchronized (change) {
      while (isFrozen) {
        change.wait();
      }
    }
  }

  private static void begin(Runnable work) {
    Thread thread = new Thread(work, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(AutoCloseable closed) {
    try {
      closed.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    close(listening);
    cut();
    freeze(false);
  }
}
