package io.millrace.engine;

import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.internal.state.LogText;
import java.util.Collection;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of what operators do by the API or by JMX: a line for each act on a queue or on the
 * store, once it is done. Acts on single jobs are a program's daily work, and told for debugging.
 */
final class Acts {

  private static final Logger LOG = LoggerFactory.getLogger(Acts.class);

  private Acts() {}

  static void onQueue(String act, QueueName queue) {
    LOG.info("{}: queue={}", act, plain(queue));
  }

  static void onQueue(String act, QueueName queue, Object outcome) {
    onQueue(act, queue.toString(), outcome);
  }

  /** Logs an act on the queues of a name, or on one queue. */
  static void onQueue(String act, String queue, Object outcome) {
    LOG.info("{}: queue={}, {}", act, plain(queue), outcome);
  }

  /** Logs, for debugging alone, an act that repeats an earlier one. */
  static void again(String act, QueueName queue, Object outcome) {
    LOG.debug("{}: queue={}, {}", act, queue, outcome);
  }

  static void onTable(String act, String table, Object outcome) {
    LOG.info("{}: table={}, {}", act, plain(table), outcome);
  }

  static void onStore(String act, Object outcome) {
    LOG.info("{}: {}", act, outcome);
  }

  static <R> R onJob(String act, JobId job, R outcome) {
    LOG.debug("{}: job={}, outcome={}", act, job, outcome);
    return outcome;
  }

  /**
   * Carries out and logs an act on those jobs of a queue that were chosen. Each step tells its
   * number of jobs. An act that ends midway is logged, too, if it has changed jobs. Returns their
   * number in all.
   */
  static long onJobs(String act, QueueName queue, Object chosen, Consumer<LongConsumer> steps) {
    AtomicLong count = new AtomicLong();
    String ended = act + " in part";
    try {
      steps.accept(count::addAndGet);
      ended = act;
    } finally {
      if (ended.equals(act) || count.get() > 0) {
        onQueue(ended, queue, "chosen=" + plain(chosen) + ", jobs=" + count);
      }
    }
    return count.get();
  }

  private static String plain(Object text) {
    return LogText.oneLine(text.toString());
  }

  /**
   * Returns the values as a text, in the order of their declaration, so that equal acts read alike.
   */
  static String sorted(Collection<? extends Enum<?>> values) {
    return values.stream()
        .sorted(Comparator.comparingInt(value -> value.ordinal()))
        .toList()
        .toString();
  }
}
