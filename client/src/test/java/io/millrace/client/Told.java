package io.millrace.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Texts of what queues answered and threw, call by call. */
final class Told {

  /** The place where a list goes on: an engine may name the last key, or the next one. */
  private static final String CURSOR = "(go on behind it with cursor=)[\\w-]+";

  private final List<String> lines = new ArrayList<>();

  /** What a script does with queues, which tells all that is to be the same on others. */
  interface Act {
    void run() throws Exception;
  }

  List<String> lines() {
    return lines;
  }

  /** Notes an answer, or an exception with its message, and returns the answer. */
  <T> T of(String call, Callable<T> asked) {
    try {
      T answer = asked.call();
      lines.add(call + " -> " + (answer == null ? "nothing" : Shown.of(answer)));
      return answer;
    } catch (Exception e) {
      lines.add(call + " -> " + thrown(e));
      return null;
    }
  }

  /** Notes that a call without an answer is done, or what it threw. */
  void done(String call, Act act) {
    of(
        call,
        () -> {
          act.run();
          return null;
        });
  }

  /**
   * Notes what a future brings: its value, or the very exception that stages behind it are told.
   */
  <T> T later(String call, Callable<CompletableFuture<T>> asked) {
    return of(
        call,
        () -> {
          AtomicReference<Throwable> seen = new AtomicReference<>();
          CompletableFuture<T> future = asked.call();
          CompletableFuture<T> behind = future.whenComplete((value, thrown) -> seen.set(thrown));
          try {
            return behind.get(20, TimeUnit.SECONDS);
          } catch (java.util.concurrent.ExecutionException e) {
            lines.add(call + " fails the future");
            throw (Exception) seen.get();
          }
        });
  }

  private static String thrown(Exception e) {
    // Null has messages of its own, for which the parameter's name is enough.
    return e instanceof NullPointerException
        ? "NullPointerException"
        : e.getClass().getName() + ": " + String.valueOf(e.getMessage()).replaceAll(CURSOR, "$1");
  }

  /** Acts where nothing may be thrown that is not expected. */
  static void quietly(Act act) {
    try {
      act.run();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
