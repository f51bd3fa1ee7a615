package io.millrace.model.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A process that works on several stores at once until it is killed: for the price of one process
 * each of them has its crash.
 *
 * <p>Its standard input names the stores, a {@link Site.Plan} a line, and then says {@code go SEED
 * COUNT}. It answers {@code working} once that many jobs of each store are completed. Told {@code
 * quiet} it ends what it is at and answers {@code quiet}; at the end of input it stops cleanly.
 */
final class CrashWorker {

  private final List<Site.Plan> plans = new ArrayList<>();
  private final List<Site> sites = new ArrayList<>();

  private CrashWorker() {}

  public static void main(String[] args) throws Exception {
    new CrashWorker().run();
  }

  private void run() throws IOException, InterruptedException, ExecutionException {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String[] words = line.split(" ");
      if (line.contains("\t")) {
        plans.add(Site.Plan.parse(line));
      } else if (words[0].equals("go")) {
        work(Long.parseLong(words[1]), Integer.parseInt(words[2]));
      } else {
        for (Site site : sites) {
          site.quiet();
        }
        System.out.println("quiet");
      }
    }
    for (Site site : sites) {
      site.close();
    }
  }

  private void work(long seed, int completedLeast) throws InterruptedException, ExecutionException {
    ExecutorService opening = Executors.newCachedThreadPool();
    List<Future<Site>> opened = new ArrayList<>();
    for (Site.Plan plan : plans) {
      opened.add(
          opening.submit(
              () -> {
                Site site = Site.open(plan, completedLeast);
                site.work(seed + plan.location().hashCode());
                return site;
              }));
    }
    opening.shutdown();
    for (Future<Site> future : opened) {
      sites.add(future.get());
    }
    for (Site site : sites) {
      site.awaitCompleted();
    }
    System.out.println("working");
  }
}
