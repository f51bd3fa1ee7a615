package io.millrace.console.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.console.PicturedConsole;
import io.millrace.console.live.History;
import io.millrace.test.TestEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Half an hour of a shop, in virtual time: orders come in waves, and a partner is not there. */
final class HalfAnHour {

  static final Duration LENGTH = Duration.ofMinutes(30);

  private static final Duration TICK = Duration.ofMillis(250);
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final int TICKS_PER_POINT = (int) (History.STEP.toMillis() / TICK.toMillis());
  private static final String OUTAGE =
      "java.net.ConnectException: Connection refused\n"
          + "\tat org.example.shop.Webhooks.post(Webhooks.java:87)\n"
          + "\tat org.example.shop.Webhooks.deliver(Webhooks.java:41)";

  /**
   * The jobs of a queue.
   *
   * @param perSecond how many come in on average
   * @param most how many run at a time
   * @param runMs how long one runs, on average
   * @param perDeath how many are done for one that dies
   */
  private record Kind(
      String queue, String type, double perSecond, int most, int runMs, int perDeath) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind("mail", "order-confirmation", 3.2, 4, 420, 300),
          new Kind("thumbnails", "resize", 1.6, 3, 1_300, 350),
          new Kind("invoices", "pdf", 0.5, 2, 2_100, 150),
          new Kind("webhooks", "order.paid", 1.1, 4, 600, 300));

  /** A job that runs until an instant. */
  private record Run(Kind kind, Lease lease, Instant end) {}

  private final Random random = new Random(7);
  private final TestEngine engine;
  private final PicturedConsole console;
  private final Map<Kind, List<Run>> runs = new HashMap<>();
  private int order = 48_100;
  private long ends;

  HalfAnHour(TestEngine engine, PicturedConsole console) {
    this.engine = engine;
    this.console = console;
    KINDS.forEach(kind -> runs.put(kind, new ArrayList<>()));
    engine
        .queue("webhooks")
        .configure(
            it -> it.retry(5, new Backoff.Exponential(Duration.ofSeconds(20), 2, LENGTH, 0)));
  }

  /** Lets the time pass; returns a delivery that waits for its next attempt. */
  JobId pass() {
    addWhatWaits();
    long ticks = LENGTH.toMillis() / TICK.toMillis();
    for (long tick = 0; tick < ticks; tick++) {
      double minute = tick * TICK.toMillis() / 60_000.0;
      for (Kind kind : KINDS) {
        arrive(kind, minute);
        end(kind, minute);
        begin(kind);
      }
      engine.advance(TICK);
      if (tick % TICKS_PER_POINT == 0) {
        console.sample(ends);
      }
    }
    return engine.queue("webhooks").peek(JobState.DELAYED, PageRequest.first(100)).items().stream()
        .filter(job -> job.attempts() == 3)
        .max(Comparator.comparing(job -> job.visibleAt().orElseThrow()))
        .orElseThrow()
        .id();
  }

  private void arrive(Kind kind, double minute) {
    double wave = 1 + 0.45 * Math.sin(minute / 3.1) + 0.25 * Math.sin(minute * 1.7);
    boolean isNewsletter = kind.queue().equals("mail") && minute > 17 && minute < 18.5;
    double expected = kind.perSecond() * wave * (isNewsletter ? 7 : 1) * TICK.toMillis() / 1_000;
    for (double left = expected; left > 0; left--) {
      if (random.nextDouble() < left) {
        enqueue(kind, EnqueueOptions.DEFAULT);
      }
    }
  }

  private void enqueue(Kind kind, EnqueueOptions options) {
    order++;
    String payload =
        "{\"order\": %d, \"customer\": \"c-%d\", \"total\": \"%d.90 EUR\"}"
            .formatted(order, 1_000 + order % 977, 10 + order % 83);
    engine
        .queue(kind.queue())
        .enqueue(payload.getBytes(UTF_8), options.type(kind.type()).header("source", "checkout"));
  }

  private void end(Kind kind, double minute) {
    Instant now = engine.now();
    boolean isOut = kind.queue().equals("webhooks") && minute > 23 && minute < 29.5;
    runs.get(kind)
        .removeIf(
            run -> {
              if (run.end().isAfter(now)) {
                return false;
              }
              if (isOut) {
                run.lease().fail(OUTAGE, FailOptions.RETRY).orThrow();
              } else if (random.nextInt(kind.perDeath()) == 0) {
                run.lease().fail(error(kind), FailOptions.PERMANENT).orThrow();
              } else {
                run.lease().complete().orThrow();
              }
              ends++;
              return true;
            });
  }

  private static String error(Kind kind) {
    return switch (kind.queue()) {
      case "mail" -> "SMTP 550: no such mailbox";
      case "thumbnails" -> "image is cut off: bytes=0";
      case "invoices" -> "customer has no address";
      default -> "HTTP 410: gone";
    };
  }

  private void begin(Kind kind) {
    int free = kind.most() - runs.get(kind).size();
    if (free == 0) {
      return;
    }
    String worker = kind.queue() + "-" + (1 + random.nextInt(2));
    for (Lease lease :
        engine.queue(kind.queue()).claim(ClaimOptions.by(worker).leaseDuration(LEASE).max(free))) {
      long runMs = (long) (kind.runMs() * (0.4 + 1.2 * random.nextDouble()));
      runs.get(kind).add(new Run(kind, lease, engine.now().plusMillis(runMs)));
    }
  }

  /** Makes jobs that wait for later, and for somebody. */
  private void addWhatWaits() {
    Kind reminders = new Kind("reminders", "cart", 0, 0, 0, 1);
    for (int i = 1; i <= 40; i++) {
      enqueue(reminders, EnqueueOptions.DEFAULT.delay(Duration.ofMinutes(60L * i)));
    }
    Kind returns = new Kind("returns", "approval", 0, 0, 0, 1);
    for (int i = 0; i < 3; i++) {
      enqueue(returns, EnqueueOptions.DEFAULT);
      engine.queue("returns").claim("returns-1", LEASE).orElseThrow().waitFor("approved").orThrow();
    }
  }
}
