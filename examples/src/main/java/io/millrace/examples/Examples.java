package io.millrace.examples;

import io.millrace.engine.JobEngine;
import java.util.LinkedHashMap;
import java.util.Map;

/** Runs the examples by their names: {@code ./millrace example retries}. */
public final class Examples {

  /** An example and the feature that it shows. */
  record Shown(String text, Example example) {}

  private static final int EXIT_WRONG = 2;

  private Examples() {}

  static Map<String, Shown> all() {
    Map<String, Shown> all = new LinkedHashMap<>();
    all.put("retries", new Shown("a job that fails is tried again, or not", new Retries()));
    all.put("priorities", new Shown("the most urgent job first", new Priorities()));
    all.put("delayed", new Shown("jobs for later, put off and called off", new Delayed()));
    all.put("stop", new Shown("a worker that stops with grace", new GracefulStop()));
    all.put("resume", new Shown("goes on where it was killed: kill -9 it", new Resume()));
    all.put("expired", new Shown("a lease that was lost", new ExpiredLease()));
    all.put("weights", new Shown("heavy and light jobs in one worker", new Weights()));
    all.put("ordered", new Shown("jobs of one key in order, one at a time", new OrderedGroups()));
    all.put("fan", new Shown("fan-out and fan-in", new FanOut()));
    all.put("batch", new Shown("many jobs as one, and what comes after", new Batches()));
    all.put("transfer", new Shown("an effect that happens exactly once", new Transfer()));
    all.put("report", new Shown("recurring jobs, by cron and by period", RecurringReport::run));
    all.put("workflow", new Shown("steps, somebody's approval, a sleep", DurableWorkflow::run));
    all.put("outbox", new Shown("jobs by a row in a database's transaction", OutboxShop::run));
    all.put("tenants", new Shown("several tenants, each with its turn", new Tenants()));
    return all;
  }

  /** Runs an example; takes its name, and the store's location unless the default will do. */
  public static void main(String[] args) throws Exception {
    if (args.length == 0 || args[0].startsWith("-")) {
      list();
      return;
    }
    Shown shown = all().get(args[0]);
    if (shown == null) {
      System.err.println("there is no example of this name: " + args[0]);
      list();
      System.exit(EXIT_WRONG);
      return;
    }
    String location = args.length > 1 ? args[1] : "lmdb:millrace-examples/" + args[0];
    try (JobEngine engine = JobEngine.open(location)) {
      shown.example().run(engine, System.out::println);
    }
  }

  private static void list() {
    System.out.println("./millrace example NAME [STORE]");
    all().forEach((name, shown) -> System.out.printf("  %-12s %s%n", name, shown.text()));
  }
}
