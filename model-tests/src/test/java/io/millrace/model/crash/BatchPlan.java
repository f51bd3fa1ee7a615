package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Backoff;
import io.millrace.api.Batch;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A batch whose jobs, and how each of them ends, follow from its name, so that whoever finds it in
 * a store knows what must be in it. A job's payload is its name: that of the batch, or of the job
 * that added it, and a number.
 *
 * @param name the name of the batch; one within another is named after that
 */
record BatchPlan(String name) {

  /** Queues whose jobs are worked on, and whose dead letters are brought back. */
  static final List<QueueName> PARTS = List.of(QueueName.of("parts"), QueueName.of("more"));

  /** A queue whose jobs are worked on, and whose dead letters are deleted. */
  static final QueueName GRAVES = QueueName.of("graves");

  /** A queue that nobody works on, and that is deleted with its jobs. */
  static final QueueName DROPPED = QueueName.of("dropped");

  /** A queue that nobody works on, and that is purged. */
  static final QueueName PURGED = QueueName.of("purged");

  private static final QueueName UNSERVED = QueueName.of("unserved");

  private static final Duration SHORT_LEASE = Duration.ofMillis(100);
  private static final int TIME_TO_LIVE_MS_MAX = 30;
  private static final int ATTEMPTS_MAX = 1_000;
  private static final int DEPTH_MAX = 3;

  /** What a job counts as in the end. */
  enum Count {
    SUCCEEDED,
    FAILED,
    CANCELLED,
    EXPIRED,
    PURGED
  }

  /** What becomes of a job, however often processes die. */
  enum Fate {
    /** It is completed with a row that says so, in one transaction. */
    NOTED(Count.SUCCEEDED),
    COMPLETED(Count.SUCCEEDED),
    /** It is completed, and kept with its result. */
    KEPT(Count.SUCCEEDED),
    /** Its first attempt fails. */
    TRIED_AGAIN(Count.SUCCEEDED),
    /** Its first lease runs out. */
    LAPSED(Count.SUCCEEDED),
    /** It adds others. */
    WIDENED(Count.SUCCEEDED),
    /** It dies, is brought back, and is completed. */
    REVIVED(Count.SUCCEEDED),
    DEAD(Count.FAILED),
    /** It dies as its only lease runs out. */
    STUCK(Count.FAILED),
    CANCELLED(Count.CANCELLED),
    EXPIRED(Count.EXPIRED),
    PURGED(Count.PURGED),
    DROPPED(Count.PURGED);

    private final Count count;

    Fate(Count count) {
      this.count = count;
    }

    Count count() {
      return count;
    }

    /** Whether its completion has a row. */
    boolean isNoted() {
      return switch (this) {
        case NOTED, TRIED_AGAIN, LAPSED, WIDENED, REVIVED -> true;
        default -> false;
      };
    }
  }

  private static final List<Fate> ANY = List.of(Fate.values());
  private static final List<Fate> GOOD = ANY.subList(0, Fate.REVIVED.ordinal());

  static BatchPlan of(String job) {
    return new BatchPlan(job.substring(0, job.indexOf('/')));
  }

  /** Whether no job of it ever dies, so that it is over once, and all succeed. */
  boolean isGood() {
    return draw("good", 2) == 0;
  }

  /** Whether it is left open at first. */
  boolean isOpen() {
    return draw("open", 3) == 0;
  }

  /** Whether it is gone as soon as it is over without dead letters. */
  boolean isBrief() {
    return depth() == 0 && draw("brief", 5) == 0;
  }

  /** Whether it is cancelled before long. */
  boolean isCancelled() {
    return draw("cancelled", 8) == 0;
  }

  /** The names of the jobs that it begins with. */
  List<String> jobs() {
    return jobs(0, draw("jobs", 4));
  }

  /** The names of jobs that are added while it is open. */
  List<String> added() {
    int first = jobs().size();
    return isOpen() ? jobs(first, first + draw("added", 3)) : List.of();
  }

  private List<String> jobs(int startInclusive, int endExclusive) {
    return IntStream.range(startInclusive, endExclusive).mapToObj(i -> name + "/" + i).toList();
  }

  /** The batches that are begun within it. */
  List<BatchPlan> inner() {
    int count = isOpen() && depth() < DEPTH_MAX ? draw("inner", 3) : 0;
    return IntStream.range(0, count).mapToObj(i -> new BatchPlan(name + "~" + i)).toList();
  }

  private int depth() {
    return (int) name.chars().filter(c -> c == '~').count();
  }

  Batch batch() {
    Batch batch = Batch.of(name);
    jobs().forEach(job -> batch.add(queue(job), job(job, UnaryOperator.identity())));
    return isBrief() ? batch.retention(Duration.ZERO) : batch;
  }

  private int draw(String what, int bound) {
    return random(name + " " + what).nextInt(bound);
  }

  private static SplittableRandom random(String text) {
    return new SplittableRandom(text.hashCode());
  }

  /** What becomes of a job of this name. */
  static Fate fate(String job) {
    List<Fate> fates = of(job).isGood() ? GOOD : ANY;
    Fate fate = fates.get(random(job).nextInt(fates.size()));
    boolean isDeep = job.chars().filter(c -> c == '/').count() > 2;
    return fate == Fate.WIDENED && isDeep ? Fate.NOTED : fate;
  }

  /** The names of the jobs that a job adds. */
  static List<String> children(String job) {
    return List.of(job + "/0", job + "/1");
  }

  static QueueName queue(String job) {
    return switch (fate(job)) {
      case DEAD, STUCK -> GRAVES;
      case EXPIRED -> UNSERVED;
      case PURGED -> PURGED;
      case DROPPED -> DROPPED;
      default -> PARTS.get(random(job + " queue").nextInt(PARTS.size()));
    };
  }

  static NewJob job(String job, UnaryOperator<EnqueueOptions> change) {
    EnqueueOptions plain =
        EnqueueOptions.DEFAULT.maxAttempts(ATTEMPTS_MAX).backoff(Backoff.fixed(Duration.ZERO));
    EnqueueOptions options =
        switch (fate(job)) {
          case KEPT -> plain.resultRetention(Duration.ofMinutes(10));
          case LAPSED -> plain.leaseDuration(SHORT_LEASE);
          case STUCK -> plain.leaseDuration(SHORT_LEASE).maxAttempts(1);
          case EXPIRED ->
              plain.timeToLive(Duration.ofMillis(1 + random(job).nextInt(TIME_TO_LIVE_MS_MAX)));
          default -> plain;
        };
    return new NewJob(job.getBytes(UTF_8), change.apply(options));
  }
}
