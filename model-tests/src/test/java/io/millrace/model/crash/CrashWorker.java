package io.millrace.model.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * A process that works on several stores at once until it is killed: for the price of one process
 * each of them has its crash.
 *
 * <p>Its standard input names the stores, a {@link Site.Plan} a line, and then says what to do. At
 * the end of input it stops cleanly.
 */
final class CrashWorker {

  /** Ends what it is at, and answers {@code quiet}. */
  static final String QUIET = "quiet";

  private final List<Site.Plan> plans = new ArrayList<>();
  private final List<Site> sites = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private CrashWorker() {}

  /** Works, and answers {@code working} once so many jobs of each store are completed. */
  static String work(long seed, int completedLeast) {
    return "work " + seed + " " + completedLeast;
  }

  /**
   * Says {@code opening}, opens the stores, enqueues a job in all of them at once, and answers
   * {@code answered} and the time of the first answer.
   */
  static String enqueueFirst(long seed) {
    return "first " + seed;
  }

  public static void main(String[] args) {
    try {
      new CrashWorker().run();
    } catch (Exception | Error e) {
      e.printStackTrace();
      // Whoever waits for an answer learns that there will be none.
      Runtime.getRuntime().halt(1);
    }
  }

  private void run() throws IOException, InterruptedException, ExecutionException {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String[] words = line.split(" ");
      if (line.contains("\t")) {
        plans.add(Site.Plan.parse(line));
      } else if (words[0].equals("work")) {
        startWork(Long.parseLong(words[1]), Integer.parseInt(words[2]));
      } else if (words[0].equals("first")) {
        first(Long.parseLong(words[1]));
      } else {
        sites.forEach(Site::quiet);
        System.out.println(QUIET);
      }
    }
    threads.shutdown();
    for (Site site : sites) {
      site.close();
    }
  }

  private void startWork(long seed, int completedLeast)
      throws InterruptedException, ExecutionException {
    sites.addAll(
        forEach(
            plans,
            plan -> {
              Site site = Site.open(plan, completedLeast);
              site.work(seed + plan.location().hashCode());
              return site;
            }));
    for (Site site : sites) {
      site.awaitCompleted();
    }
    System.out.println("working");
  }

  private void first(long seed) throws InterruptedException, ExecutionException {
    System.out.println("opening");
    CyclicBarrier opened = new CyclicBarrier(plans.size());
    List<Long> answeredUs =
        forEach(
            plans,
            plan -> {
              Site site = Site.open(plan, 0);
              opened.await();
              new Producer(site, plan.life() + ".p0", seed).enqueueFirst();
              return Journal.nowUs();
            });
    String times = answeredUs.stream().map(us -> " " + us).collect(Collectors.joining());
    System.out.println("answered" + times);
  }

  private interface Work<R> {
    R on(Site.Plan plan) throws Exception;
  }

  /** Does it for all at once. */
  private <R> List<R> forEach(List<Site.Plan> plans, Work<R> work)
      throws InterruptedException, ExecutionException {
    List<Callable<R>> calls = new ArrayList<>();
    plans.forEach(plan -> calls.add(() -> work.on(plan)));
    List<R> results = new ArrayList<>();
    for (Future<R> future : threads.invokeAll(calls)) {
      results.add(future.get());
    }
    return results;
  }
}
