package io.millrace.jmh;

import io.millrace.jmh.load.JavaCommand;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.OwnCallers;
import io.millrace.jmh.load.Peer;
import io.millrace.jmh.load.PeerSide;
import io.millrace.jmh.load.PeersRun;
import io.millrace.jmh.load.Progress;
import io.millrace.jmh.servers.ServerPeer;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The callers of a peer in a process of their own, which ends with this one. In a process that
 * calls one peer after the other, what Java compiled for the first is in the way of the next, and
 * no program has four such libraries under load.
 */
final class CallersProcess implements PeerSide {

  private static final long PATIENCE_S = 60;

  private final String peer;
  private final Process process;
  private final ObjectOutputStream orders;
  private final ObjectInputStream answers;

  /** An order that the other process carries out. */
  private interface Order<A extends Serializable> extends Serializable {
    A on(PeerSide side);
  }

  /** An answer of an order that threw. */
  private record Failed(String trace) implements Serializable {}

  private CallersProcess(String peer, Process process) throws IOException {
    this.peer = peer;
    this.process = process;
    this.orders = new ObjectOutputStream(process.getOutputStream());
    orders.flush();
    this.answers = new ObjectInputStream(process.getInputStream());
  }

  /**
   * Starts a peer and its callers.
   *
   * @param parent the folder in which the peer gets one of its own
   */
  static CallersProcess start(Peer peer, TableRows.Row row, Path parent) {
    LoadOptions options = row.options();
    List<String> command =
        JavaCommand.of(
            CallersProcess.class,
            peer.name(),
            row.name(),
            options.timing().measured().toString(),
            String.valueOf(options.timing().roundCount()),
            String.valueOf(options.payloadBytes()),
            parent.toString());
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      CallersProcess callers = new CallersProcess(peer.name(), process);
      callers.answer();
      return callers;
    } catch (IOException e) {
      throw new UncheckedIOException("callers cannot be started: peer=" + peer.name(), e);
    }
  }

  /** Starts the peer of the arguments and carries out orders until there are no more. */
  public static void main(String[] arguments) {
    try {
      ObjectOutputStream answers = new ObjectOutputStream(System.out);
      answers.flush();
      System.setOut(System.err); // What others print is no answer.
      try {
        carryOut(new ObjectInputStream(System.in), answers, arguments);
      } catch (EOFException e) {
        return; // The process that gives the orders has closed the stream, or is gone.
      } catch (Throwable e) {
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace, true));
        answer(answers, new Failed(trace.toString()));
      }
    } catch (IOException e) {
      e.printStackTrace(); // Nobody is there to be told.
    } finally {
      System.exit(0); // Whatever threads a client has left.
    }
  }

  private static void carryOut(
      ObjectInputStream orders, ObjectOutputStream answers, String[] arguments)
      throws IOException, ClassNotFoundException {
    try (PeerSide side = started(arguments)) {
      answer(answers, true);
      while (true) {
        Order<?> order = (Order<?>) orders.readObject();
        answer(answers, order.on(side));
      }
    }
  }

  private static void answer(ObjectOutputStream answers, Serializable answer) throws IOException {
    answers.writeObject(answer);
    answers.flush();
  }

  private static PeerSide started(String[] arguments) {
    LoadOptions.Timing timing =
        new LoadOptions.Timing(Duration.parse(arguments[2]), Integer.parseInt(arguments[3]), 0);
    Path parent = Path.of(arguments[5]);
    LoadOptions options =
        new ServerRows(timing, Integer.parseInt(arguments[4]), parent)
            .all().stream()
                .filter(row -> row.name().equals(arguments[1]))
                .findFirst()
                .orElseThrow()
                .options();
    Peer peer =
        Stream.concat(Stream.of(ServerRows.engine()), ServerPeer.all().stream())
            .filter(each -> each.name().equals(arguments[0]))
            .findFirst()
            .orElseThrow();
    return OwnCallers.start(peer, options, parent, Progress.unseen());
  }

  @Override
  public void warmUp(Duration length) {
    ask(
        side -> {
          side.warmUp(length);
          return true;
        });
  }

  @Override
  public double round(Duration length, int number) {
    return ask(side -> side.round(length, number));
  }

  @Override
  public PeersRun.Result end(List<Double> rates) {
    return ask(side -> side.end(rates));
  }

  @SuppressWarnings("unchecked") // Each order has its answer.
  private <A extends Serializable> A ask(Order<A> order) {
    try {
      orders.writeObject(order);
      orders.flush();
      return (A) answer();
    } catch (IOException e) {
      throw new UncheckedIOException("callers cannot be asked: peer=" + peer, e);
    }
  }

  private Object answer() throws IOException {
    try {
      Object answer = answers.readObject();
      if (answer instanceof Failed failed) {
        throw new IllegalStateException("callers failed: peer=" + peer + "\n" + failed.trace());
      }
      return answer;
    } catch (EOFException e) {
      throw new IllegalStateException("callers have ended: peer=" + peer, e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("answer is of no class of ours: peer=" + peer, e);
    }
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        throw new IllegalStateException(
            "callers have not ended after " + PATIENCE_S + " s: peer=" + peer);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("callers cannot be ended: peer=" + peer, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }
}
