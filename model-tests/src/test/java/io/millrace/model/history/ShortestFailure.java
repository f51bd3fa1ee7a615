package io.millrace.model.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The shortest history that still fails: parts of a failing one are left out, halves first, as long
 * as what is left fails.
 */
public final class ShortestFailure<S> {

  private static final long SEARCH_SECONDS_MAX = Long.getLong("millrace.model.search.seconds", 30);

  private final Function<List<S>, Optional<Throwable>> run;
  private final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SEARCH_SECONDS_MAX);
  private List<S> steps;
  private Throwable failure;

  private ShortestFailure(
      Function<List<S>, Optional<Throwable>> run, List<S> steps, Throwable failure) {
    this.run = run;
    this.steps = steps;
    this.failure = failure;
  }

  /** Runs the history; if it fails, throws what its shortest failing part fails of. */
  public static <S> void check(List<S> steps, Function<List<S>, Optional<Throwable>> run) {
    Optional<Throwable> failure = run.apply(steps);
    if (failure.isPresent()) {
      ShortestFailure<S> shortest = new ShortestFailure<>(run, steps, failure.get());
      shortest.search();
      throw new AssertionError(shortest.text(), shortest.failure);
    }
  }

  private void search() {
    int partSize = Math.max(1, steps.size() / 2);
    while (System.nanoTime() - endNs < 0) {
      boolean isShorter = false;
      for (int start = 0; start < steps.size() && System.nanoTime() - endNs < 0; ) {
        if (!failsWithout(start, Math.min(steps.size(), start + partSize))) {
          start += partSize;
        } else {
          isShorter = true;
        }
      }
      if (!isShorter && partSize == 1) {
        return;
      }
      partSize = isShorter ? partSize : partSize / 2;
    }
  }

  private boolean failsWithout(int startInclusive, int endExclusive) {
    List<S> rest = new ArrayList<>(steps);
    rest.subList(startInclusive, endExclusive).clear();
    Optional<Throwable> restFailure = rest.isEmpty() ? Optional.empty() : run.apply(rest);
    restFailure.ifPresent(
        why -> {
          steps = rest;
          failure = why;
        });
    return restFailure.isPresent();
  }

  private String text() {
    StringBuilder text = new StringBuilder(failure.getMessage()).append("\nShortest history:");
    steps.forEach(step -> text.append("\n  ").append(step));
    return text.toString();
  }
}
