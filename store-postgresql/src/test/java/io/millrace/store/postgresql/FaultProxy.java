package io.millrace.store.postgresql;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * A way to a PostgreSQL server that a test breaks: before a statement reaches the server, within
 * it, or after it was carried out and before its answer comes back. It reads the protocol just so
 * far as to know where a message begins, and which statement is in it.
 */
final class FaultProxy implements AutoCloseable {

  private static final int SSL_REQUEST = 80_877_103;
  private static final int GSS_REQUEST = 80_877_104;

  /** The message that begins with a statement's text. */
  private static final char PARSE = 'P';

  /** The message that ends what is sent together. */
  private static final char SYNC = 'S';

  private static final char READY = 'Z';

  private final ServerSocket listening;
  private final int serverPort;
  private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();
  private final List<Plan> plans = new ArrayList<>();

  /** The lock of cutting off, healing and making pairs: what is healed is not reset any more. */
  private final Object cutting = new Object();

  private boolean isRefusing;

  /** Moment of a statement's way. */
  enum Moment {
    /** The moment before the server hears of it. */
    BEFORE,
    /** The moment when the server has half of it. */
    WITHIN,
    /** The moment when the server has all of it, and has perhaps not begun yet. */
    SENT,
    /** The moment when the server has carried it out, and nobody has heard of that. */
    AFTER
  }

  /** Kind of fault. */
  enum Fault {
    /** A reset of the connection; others may be made. */
    RESET,
    /** A reset of all connections, and no other is made. */
    CUT_OFF,
    /** A silence: nothing comes through any more, and the connection stays. */
    FREEZE,
    /** Nothing but what the test does then, after which the message goes its way. */
    NONE
  }

  private record Plan(Pattern text, Moment moment, Fault fault, Runnable what) {}

  FaultProxy(int serverPort) {
    this.serverPort = serverPort;
    try {
      this.listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Plans a fault for the next statement in which the pattern is found. */
  void plan(String text, Moment moment, Fault fault) {
    plan(text, moment, fault, () -> {});
  }

  void plan(String text, Moment moment, Fault fault, Runnable what) {
    synchronized (plans) {
      plans.add(new Plan(Pattern.compile(text), moment, fault, what));
    }
  }

  /** Tells whether a fault is planned that nothing has met yet. */
  boolean isPlanned() {
    synchronized (plans) {
      return !plans.isEmpty();
    }
  }

  /** Resets all connections, and refuses others until it is healed. */
  void cutOff() {
    synchronized (cutting) {
      isRefusing = true;
      reset();
    }
  }

  void heal() {
    synchronized (cutting) {
      isRefusing = false;
    }
  }

  /** Resets all connections that there are. */
  void reset() {
    pairs.forEach(Pair::reset);
  }

  /** Lets nothing through any more on the connections that there are. */
  void freeze() {
    pairs.forEach(pair -> pair.isFrozen = true);
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    reset();
  }

  private static void start(Runnable what) {
    Thread thread = new Thread(what, "fault-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        synchronized (cutting) {
          if (isRefusing) {
            client.setSoLinger(true, 0);
            client.close();
          } else {
            Pair pair = new Pair(client, new Socket(InetAddress.getLoopbackAddress(), serverPort));
            pairs.add(pair);
            start(pair::fromClient);
          }
        }
      } catch (IOException e) {
        // Closed, or the server is down: the next one may come through.
        continue;
      }
    }
  }

  private Plan met(byte[] message) {
    String text = new String(message, ISO_8859_1);
    synchronized (plans) {
      for (Plan plan : plans) {
        if (plan.text.matcher(text).find()) {
          plans.remove(plan);
          return plan;
        }
      }
      return null;
    }
  }

  /** A connection of a client, and the one to the server that belongs to it. */
  private final class Pair {

    private final Socket client;
    private final Socket server;
    private volatile boolean isFrozen;

    /** The fault that comes when the server has answered what it was sent. */
    private volatile Plan after;

    Pair(Socket client, Socket server) throws IOException {
      this.client = client;
      this.server = server;
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
    }

    void fromClient() {
      try {
        DataInputStream in = new DataInputStream(client.getInputStream());
        OutputStream out = server.getOutputStream();
        begin(in, out);
        start(this::fromServer);
        Plan sent = null;
        while (true) {
          byte[] message = message(in);
          Plan plan = message[0] == PARSE ? met(message) : null;
          if (plan != null && plan.moment == Moment.SENT) {
            out.write(message);
            sent = plan;
          } else if (plan != null && plan.moment != Moment.AFTER) {
            out.write(message, 0, plan.moment == Moment.WITHIN ? message.length / 2 : 0);
            out.flush();
            carryOut(plan);
            if (plan.fault == Fault.NONE) {
              out.write(message);
            }
          } else if (!isFrozen) {
            after = plan == null ? after : plan;
            out.write(message);
          }
          out.flush();
          if (sent != null && message[0] == SYNC) {
            carryOut(sent);
            sent = null;
          }
        }
      } catch (IOException e) {
        reset();
      }
    }

    /** Passes on what comes before the first message: requests for encryption, and who logs in. */
    private void begin(DataInputStream in, OutputStream out) throws IOException {
      DataInputStream answers = new DataInputStream(server.getInputStream());
      while (true) {
        int length = in.readInt();
        byte[] first = new byte[length];
        putInt(first, 0, length);
        in.readFully(first, 4, length - 4);
        out.write(first);
        out.flush();
        int code = getInt(first, 4);
        if (code != SSL_REQUEST && code != GSS_REQUEST) {
          return;
        }
        client.getOutputStream().write(answers.read());
      }
    }

    private void fromServer() {
      try {
        DataInputStream in = new DataInputStream(server.getInputStream());
        OutputStream out = client.getOutputStream();
        List<byte[]> held = new ArrayList<>();
        while (true) {
          byte[] message = message(in);
          held.add(message);
          Plan plan = after;
          if (plan != null && message[0] == READY) {
            after = null;
            carryOut(plan);
            plan = plan.fault == Fault.NONE ? null : plan;
          }
          if (plan == null && !isFrozen) {
            for (byte[] each : held) {
              out.write(each);
            }
            held.clear();
            out.flush();
          }
        }
      } catch (IOException e) {
        reset();
      }
    }

    private void carryOut(Plan plan) {
      plan.what.run();
      switch (plan.fault) {
        case RESET -> reset();
        case CUT_OFF -> cutOff();
        case FREEZE -> isFrozen = true;
        case NONE -> {}
      }
    }

    private void reset() {
      pairs.remove(this);
      for (Socket socket : new Socket[] {client, server}) {
        try {
          socket.setSoLinger(true, 0);
          socket.close();
        } catch (IOException e) {
          // It is closed already.
          continue;
        }
      }
    }
  }

  private static byte[] message(DataInputStream in) throws IOException {
    byte type = in.readByte();
    int length = in.readInt();
    byte[] message = new byte[length + 1];
    message[0] = type;
    putInt(message, 1, length);
    in.readFully(message, 5, length - 4);
    return message;
  }

  private static void putInt(byte[] to, int at, int value) {
    ByteBuffer.wrap(to).putInt(at, value);
  }

  private static int getInt(byte[] from, int at) {
    return ByteBuffer.wrap(from).getInt(at);
  }
}
