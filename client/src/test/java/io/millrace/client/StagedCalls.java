package io.millrace.client;

import io.millrace.protocol.Call;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Calls of a server that answers what a test says, if at all. For one thread. */
final class StagedCalls implements Calls {

  private final List<Call<?>> made = new ArrayList<>();
  private final Deque<CompletableFuture<?>> answers = new ArrayDeque<>();

  /** Answers the next call by this future. */
  void next(CompletableFuture<?> answer) {
    answers.add(answer);
  }

  /** Returns all calls that were made, in order. */
  List<Call<?>> made() {
    return made;
  }

  @Override
  @SuppressWarnings("unchecked") // the test knows what the next call is
  public <C extends Call<A>, A> CompletableFuture<A> send(C call) {
    made.add(call);
    return answers.isEmpty()
        ? new CompletableFuture<>()
        : (CompletableFuture<A>) answers.removeFirst();
  }
}
