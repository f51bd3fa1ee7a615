package io.millrace.model.fault;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Counts of calls that ended otherwise than with an answer. For the calling thread. */
final class Disturbances {

  private final Map<String, Integer> counts = new TreeMap<>();

  /** Makes the call; throws what no caller should be told. */
  <T> CallOutcome<T> told(String call, Supplier<T> supplier) {
    CallOutcome<T> told = CallOutcome.by(supplier);
    if (told.kind() != CallOutcome.Kind.ANSWER) {
      count(call);
    }
    return told;
  }

  /** Makes a call whose answer is of no interest; returns what is told of it. */
  CallOutcome.Kind done(String call, Runnable runnable) {
    return told(
            call,
            () -> {
              runnable.run();
              return true;
            })
        .kind();
  }

  /** Makes a call of which nothing that is told is of interest; returns what it is called. */
  String made(String call, Runnable runnable) {
    done(call, runnable);
    return call;
  }

  void count(String call) {
    counts.merge(call, 1, Integer::sum);
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
