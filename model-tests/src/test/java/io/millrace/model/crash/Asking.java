package io.millrace.model.crash;

import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.EngineClosedException;
import io.millrace.api.Enqueued;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.model.crash.Journal.Event;
import io.millrace.model.crash.Journal.Line;
import io.millrace.model.crash.Op.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** Asks an engine for things, one thread's worth, and writes down what for and what it is told. */
final class Asking {

  private final Journal journal;
  private final String asker;
  private int callCount;

  Asking(Journal journal, String asker) {
    this.journal = journal;
    this.asker = asker;
  }

  String nextCall() {
    return asker + "-" + ++callCount;
  }

  /** Asks for something about one job; {@code told} says what an answer means. */
  <R> Reply one(Op op, String job, Durability level, Supplier<R> call, Function<R, Reply> told) {
    return many(op, List.of(job), level, () -> List.of(call.get()), told).get(0);
  }

  /** Asks in one call for something about several jobs. */
  <R> List<Reply> many(
      Op op, List<String> jobs, Durability level, Supplier<List<R>> call, Function<R, Reply> told) {
    String name = ask(op, jobs, level);
    List<R> results;
    try {
      results = call.get();
    } catch (EngineClosedException e) {
      tell(op, jobs, Reply.REFUSED, name);
      throw e;
    } catch (OutcomeUnknownException e) {
      tell(op, jobs, Reply.UNKNOWN, name);
      throw e;
    }
    List<Line> lines = new ArrayList<>();
    List<Reply> answers = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      answers.add(told.apply(results.get(i)));
      lines.add(told(op, jobs.get(i), answers.get(i), name, results.get(i)));
    }
    journal.addAll(lines);
    return answers;
  }

  /** Asks for one job without waiting; the answer is written down by whoever brings it. */
  CompletableFuture<Void> later(
      String job, Op op, Durability level, Supplier<CompletableFuture<Enqueued>> call) {
    String name = ask(op, List.of(job), level);
    CompletableFuture<Enqueued> future;
    try {
      future = call.get();
    } catch (EngineClosedException e) {
      tell(op, List.of(job), Reply.REFUSED, name);
      throw e;
    }
    return future.handle(
        (result, failure) -> {
          if (failure == null) {
            journal.addAll(List.of(told(op, job, Reply.OK, name, result)));
          } else {
            boolean isClosed = failure instanceof EngineClosedException;
            tell(op, List.of(job), isClosed ? Reply.REFUSED : Reply.UNKNOWN, name);
          }
          return null;
        });
  }

  private String ask(Op op, List<String> jobs, Durability level) {
    String name = nextCall();
    journal.addAll(
        jobs.stream().map(job -> Journal.line(Event.ASK, job, op, level, name)).toList());
    return name;
  }

  private void tell(Op op, List<String> jobs, Reply told, String call) {
    journal.addAll(
        jobs.stream().map(job -> Journal.line(Event.TOLD, job, op, told, call)).toList());
  }

  private static Line told(Op op, String job, Reply told, String call, Object result) {
    return result instanceof Enqueued enqueued
        ? Journal.line(Event.TOLD, job, op, told, call, enqueued.jobId())
        : Journal.line(Event.TOLD, job, op, told, call);
  }

  static Reply completed(CompleteResult result) {
    return result == CompleteResult.COMPLETED ? Reply.OK : Reply.NOTHING;
  }
}
