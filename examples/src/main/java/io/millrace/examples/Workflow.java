package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.LeaseLostException;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.api.Transaction;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Function;

/**
 * A durable workflow: a job whose work is called from its beginning in each attempt, and passes
 * over the steps that are done, for their results are kept in a table. So it goes on where it was,
 * after days and after crashes. For the thread that works on the job.
 */
public final class Workflow {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final String FAILURE = "failure";

  private final JobQueues queues;
  private final Lease lease;
  private final Table<String, String> steps;
  private final Optional<String> failure;
  private final Deque<Undo> undos = new ArrayDeque<>();
  private boolean isUndoing;

  private Workflow(JobQueues queues, Lease lease) {
    this.queues = queues;
    this.lease = lease;
    this.steps = queues.table("steps", Codec.TEXT, Codec.TEXT);
    this.failure = steps.get(key(FAILURE));
  }

  /** What is to be done, from top to bottom. No two of its steps have the same name. */
  public interface Work {
    /** Answers the result of the whole. */
    String of(Workflow flow) throws Parked;
  }

  /** A step that is done elsewhere; or undone, if it was done. */
  public interface Call {
    /** Answers its result. Whoever is called counts what has the same token once. */
    String of(String token) throws IOException;
  }

  private interface Undo {
    void run() throws Parked;
  }

  /** The job waits, or is tried again later: whoever works on it lets go of it. */
  public static final class Parked extends Exception {
    private static final long serialVersionUID = 1;

    private Parked() {}
  }

  /** It cannot be done: the steps that were done are to be undone. */
  public static final class FailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public FailedException(String message) {
      super(message);
    }
  }

  /** Works on the job until it is done, or has to wait. */
  public static void run(JobQueues queues, Lease lease, Work work) {
    try (lease) {
      try {
        Workflow flow = new Workflow(queues, lease);
        flow.end(flow.resultOf(work));
      } catch (RuntimeException e) { // tried again; in the end a dead letter
        lease.fail(e.toString()).orThrow();
      }
    } catch (Parked | LeaseLostException e) {
      // It goes on when the job is served again, or somebody else has it.
    }
  }

  /** The job that it is: signals are sent to it. */
  public JobId id() {
    return lease.jobId();
  }

  // region step
  /** A step in this store: its changes of tables and jobs, and its result, are one commit. */
  public String step(String name, Function<Transaction, String> work) {
    return kept(name).orElseGet(() -> keep(name, work));
  }

  private String keep(String name, Function<Transaction, String> work) {
    return queues
        .transact(
            tx -> {
              tx.extend(lease, LEASE); // nothing happens if somebody else has the job by now
              String result = work.apply(tx);
              tx.put(steps, key(name), result);
              return result;
            })
        .orThrow();
  }

  /** As the other, with what undoes it if the workflow fails later. */
  public String step(
      String name, Function<Transaction, String> work, Function<Transaction, String> undo) {
    String result = step(name, work);
    undos.push(() -> step("undo " + name, undo));
    return result;
  }

  // endregion

  // region call
  /** A step elsewhere. It may be tried several times, always with the same token. */
  public String call(String name, Call work) throws Parked {
    try {
      return tryCall(name, work);
    } catch (IOException e) {
      throw again(name, e); // a dead letter in the end: nobody knows whether it happened
    }
  }

  /** As the other, with what undoes it if it fails, or the workflow does later. */
  public String call(String name, Call work, Call undo) throws Parked {
    undos.push(() -> call("undo " + name, token -> undo.of(key(name))));
    try {
      return tryCall(name, work);
    } catch (IOException e) {
      if (lease.isLastAttempt()) {
        throw new FailedException(name + ": " + e.getMessage());
      }
      throw again(name, e);
    }
  }

  private String tryCall(String name, Call work) throws IOException {
    Optional<String> kept = kept(name);
    if (kept.isPresent()) {
      return kept.get();
    }
    lease.extend(LEASE).orThrow();
    String result = work.of(key(name));
    return keep(name, tx -> result);
  }

  private Parked again(String name, IOException e) {
    lease.fail(name + ": " + e).orThrow(); // backs off
    return new Parked();
  }

  // endregion

  // region waits
  /** Waits for a signal; if it does not come in time, the result is what is said for that. */
  public String waitFor(String signal, Duration most, String otherwise) throws Parked {
    Optional<String> kept = kept(signal);
    if (kept.isPresent()) {
      return kept.get();
    }
    Optional<byte[]> told = lease.signalled(signal);
    if (told.isPresent()) {
      return keep(signal, tx -> new String(told.get(), UTF_8));
    }
    if (lease.hasTimedOut(signal)) {
      return keep(signal, tx -> otherwise);
    }
    lease.waitFor(signal, most).orThrow();
    throw new Parked();
  }

  /** Waits for so long. */
  public void sleep(String name, Duration time) throws Parked {
    if (kept(name).isEmpty()) {
      queues
          .inTransaction(
              tx -> {
                tx.put(steps, key(name), ""); // the job is not served again before its time
                tx.snooze(lease, time);
              })
          .orThrow();
      throw new Parked();
    }
  }

  // endregion

  // region ends
  private String resultOf(Work work) throws Parked {
    try {
      return work.of(this);
    } catch (FailedException e) {
      isUndoing = true;
      String why = step(FAILURE, tx -> e.getMessage()); // from now on there is no way back
      while (!undos.isEmpty()) {
        undos.pop().run();
      }
      return "failed: " + why;
    }
  }

  private void end(String result) {
    queues
        .inTransaction(
            tx -> {
              for (TableRow<String, String> step :
                  tx.scan(steps, TableRange.prefix(key("")), 1_000)) {
                tx.delete(steps, step.key());
              }
              tx.complete(lease, result.getBytes(UTF_8));
            })
        .orThrow();
  }

  // endregion

  /** The result of a step that is done; once the workflow has failed, none is begun. */
  private Optional<String> kept(String name) {
    Optional<String> result = steps.get(key(name));
    if (result.isEmpty() && !isUndoing) {
      failure.ifPresent(
          why -> {
            throw new FailedException(why);
          });
    }
    return result;
  }

  private String key(String name) {
    return lease.jobId() + "/" + name;
  }
}
