package io.millrace.console.source;

import io.millrace.api.Job;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A look at the first jobs of a selection: it ends after so many jobs, or after a time, so that no
 * page waits for a walk through ten million of them.
 */
public final class Scan {

  private static final int PAGE_SIZE = 500;
  private static final int COUNT_MAX = 10_000;
  private static final Duration LENGTH_MAX = Duration.ofMillis(800);

  private Scan() {}

  /**
   * Looks at jobs until all are seen or the scan has gone far enough.
   *
   * @return whether all were seen
   */
  public static boolean run(Source source, Selection selection, Consumer<Job> each) {
    return run(source, selection, COUNT_MAX, LENGTH_MAX, each);
  }

  static boolean run(
      Source source, Selection selection, int countMax, Duration lengthMax, Consumer<Job> each) {
    long endNs = System.nanoTime() + lengthMax.toNanos();
    int left = countMax;
    Optional<String> cursor = Optional.empty();
    do {
      Page<Job> page =
          source.jobHeads(
              selection.filter(), new PageRequest(Math.min(PAGE_SIZE, Math.max(1, left)), cursor));
      page.items().stream().filter(selection::has).forEach(each);
      left -= page.items().size();
      cursor = page.next();
    } while (cursor.isPresent() && left > 0 && System.nanoTime() - endNs < 0);
    return cursor.isEmpty();
  }
}
