package io.millrace.store.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import io.millrace.spi.OwnerName;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.fault.Machine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An engine in a process of its own, which does what it is told and says what came of it. */
final class OwnerProcess implements AutoCloseable {

  private final Process process;
  private final BufferedReader answers;
  private final PrintStream orders;

  private OwnerProcess(Process process) {
    this.process = process;
    this.answers = process.inputReader(UTF_8);
    this.orders = new PrintStream(process.getOutputStream(), true, UTF_8);
  }

  static OwnerProcess start(String location, Duration ownedFor) {
    List<String> command = new ArrayList<>(Machine.java());
    command.addAll(List.of(OwnerProcess.class.getName(), location, ownedFor.toString()));
    try {
      OwnerProcess started =
          new OwnerProcess(
              new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
      started.answer();
      return started;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Tells the process to do something, and returns what it says. */
  String tell(String order) {
    orders.println(order);
    return answer();
  }

  String answer() {
    try {
      String line = answers.readLine();
      if (line == null) {
        throw new AssertionError("the process has ended");
      }
      return line;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  void signal(String name) {
    try {
      Machine.run("kill", "-" + name, Long.toString(process.pid()));
      if (name.equals("KILL")) {
        Machine.join(process);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    Machine.join(process);
  }

  /** Opens the engine, and answers each line with a line. */
  public static void main(String[] args) throws IOException {
    StoreOptions options =
        StoreOptions.of(args[0])
            .ownedFor(Duration.parse(args[1]))
            .owner(OwnerName.newNode().address("10.0.0.7:7171"));
    BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    JobEngine engine = JobEngine.open(new PostgresStoreFactory(), options, EngineOptions.DEFAULT);
    List<Lease> leases = new ArrayList<>();
    out.println("open");
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      try {
        out.println(done(engine, leases, order));
      } catch (MillraceException e) {
        out.println(e.getClass().getSimpleName());
      }
    }
    engine.close();
  }

  private static String done(JobEngine engine, List<Lease> leases, String order) {
    JobQueue mail = engine.queue("mail");
    switch (order) {
      case "claim" -> {
        leases.addAll(mail.claim(ClaimOptions.by("child").leaseDuration(Duration.ofMinutes(1))));
        return "leases=" + leases.size();
      }
      case "extend" -> {
        return leases.get(0).extend(Duration.ofMinutes(5)).toString();
      }
      case "complete" -> {
        return leases.remove(0).complete().toString();
      }
      case "close" -> {
        engine.close();
        return "closed";
      }
      default -> {
        mail.enqueue(order.getBytes(UTF_8));
        return "enqueued";
      }
    }
  }
}
