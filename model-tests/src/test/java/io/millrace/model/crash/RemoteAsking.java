package io.millrace.model.crash;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.Enqueued;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueName;
import io.millrace.api.Submitted;
import io.millrace.model.crash.Journal.Event;
import io.millrace.model.crash.Journal.Line;
import io.millrace.model.crash.Op.Reply;
import io.millrace.spi.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Asks a server for things, one thread's worth, and writes down what for and what it is told. A
 * call without an answer is no failure here: servers are killed.
 */
final class RemoteAsking {

  private final Journal journal;
  private final String asker;
  private int callCount;

  RemoteAsking(Journal journal, String asker) {
    this.journal = journal;
    this.asker = asker;
  }

  private String nextCall() {
    return asker + "-" + ++callCount;
  }

  /** Asks for new jobs in one call; empty if there is no answer. */
  <R> List<R> enqueue(RemoteOp op, List<String> jobs, Supplier<List<R>> call) {
    return ask(op, jobs, List.of(), call, enqueued -> Reply.OK);
  }

  /** Asks for something about a lease; {@code told} says what an answer means. */
  <R> Optional<R> about(RemoteOp op, Lease lease, Supplier<R> call, Function<R, Reply> told) {
    return about(op, List.of(lease), () -> List.of(call.get()), told).stream().findFirst();
  }

  /** Asks in one call for something about several leases; empty if there is no answer. */
  <R> List<R> about(
      RemoteOp op, List<Lease> leases, Supplier<List<R>> call, Function<R, Reply> told) {
    return ask(op, leases.stream().map(RemoteAsking::jobOf).toList(), leases, call, told);
  }

  static String jobOf(Lease lease) {
    return Payload.newest(lease).job();
  }

  private <R> List<R> ask(
      RemoteOp op,
      List<String> jobs,
      List<Lease> leases,
      Supplier<List<R>> call,
      Function<R, Reply> told) {
    String name = nextCall();
    List<Line> asked = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      Object token = leases.isEmpty() ? "-" : leases.get(i).token();
      asked.add(Journal.line(Event.ASK, jobs.get(i), op, name, token));
    }
    journal.addAll(asked);
    Optional<List<R>> answer = answer(op, jobs, name, call);
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < answer.map(List::size).orElse(0); i++) {
      R result = answer.get().get(i);
      lines.add(Journal.line(Event.TOLD, jobs.get(i), op, told.apply(result), name, idOf(result)));
    }
    journal.addAll(lines);
    return answer.orElse(List.of());
  }

  private static Object idOf(Object result) {
    if (result instanceof Submitted<?> submitted) {
      return submitted.jobId();
    }
    return result instanceof Enqueued enqueued ? enqueued.jobId() : "-";
  }

  /** Claims, and writes down what it got. */
  List<Lease> claim(JobQueues queues, QueueName queue, ClaimOptions how) {
    String name = nextCall();
    journal.add(Event.ASK, name, RemoteOp.CLAIM, name);
    List<Lease> leases =
        answer(RemoteOp.CLAIM, List.of(name), name, () -> queues.queue(queue).claim(how))
            .orElse(List.of());
    List<Line> lines = new ArrayList<>();
    for (Lease lease : leases) {
      lines.add(Journal.line(Event.LEASED, jobOf(lease), name, lease.jobId(), lease.token()));
    }
    lines.add(Journal.line(Event.TOLD, name, RemoteOp.CLAIM, Reply.OK, name, "-"));
    journal.addAll(lines);
    return leases;
  }

  private <R> Optional<R> answer(RemoteOp op, List<String> of, String call, Supplier<R> asked) {
    try {
      return Optional.of(asked.get());
    } catch (OutcomeUnknownException e) {
      tell(op, of, Reply.UNKNOWN, call);
    } catch (StoreUnavailableException | EngineClosedException | EngineOverloadedException e) {
      tell(op, of, Reply.REFUSED, call);
    } catch (MillraceException e) {
      tell(op, of, Reply.UNKNOWN, call);
      journal.add(Event.WRONG, call, op, e);
    }
    return Optional.empty();
  }

  private void tell(RemoteOp op, List<String> of, Reply told, String call) {
    journal.addAll(
        of.stream().map(each -> Journal.line(Event.TOLD, each, op, told, call, "-")).toList());
  }
}
