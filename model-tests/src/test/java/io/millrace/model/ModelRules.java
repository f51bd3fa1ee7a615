package io.millrace.model;

import io.millrace.api.DeadFilter;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Rules of the model that change nothing. */
public final class ModelRules {

  /** The order in which queues are listed. */
  public static final Comparator<QueueName> BY_NAME =
      Comparator.comparing((QueueName queue) -> utf8(queue.name()), ModelRules::compare)
          .thenComparing(queue -> utf8(queue.tenant()), ModelRules::compare);

  private ModelRules() {}

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Shorter ones first. */
  static int compare(byte[] a, byte[] b) {
    return a.length != b.length ? a.length - b.length : Arrays.compareUnsigned(a, b);
  }

  static Comparator<ModelJob> order(JobState state) {
    return switch (state) {
      case READY -> ModelJob.SERVING;
      case BLOCKED -> ModelSlots.BY_KEY.thenComparing(ModelJob.SERVING);
      case DELAYED -> ModelJob.BY_END_OF_WAIT;
      case DEAD -> ModelJob.BY_DEATH;
      case DONE -> ModelJob.BY_COMPLETION;
      case WAITING -> ModelJob.BY_SIGNAL;
      default -> Comparator.comparingLong(job -> job.birth);
    };
  }

  /** How long the longest-waiting of the jobs that head their priorities has been ready. */
  public static Optional<Duration> oldestReadyAge(ReferenceModel model, QueueName queue) {
    Map<Integer, ModelJob> heads = new HashMap<>();
    model
        .jobs(queue, JobState.READY)
        .forEach(job -> heads.putIfAbsent(job.options.priority(), job));
    return heads.values().stream()
        .map(job -> Duration.ofMillis(Math.max(0, model.time.nowMs() - job.readySinceMs)))
        .max(Comparator.naturalOrder());
  }

  /** Whether a dead letter meets every condition of the filter. */
  static boolean matches(ModelJob job, DeadFilter filter) {
    boolean hasError =
        filter.errorContains().isEmpty()
            || !job.isErrorByEngine
                && job.lastError.orElse("").contains(filter.errorContains().get());
    boolean isBefore =
        filter.diedBefore().isEmpty() || job.diedAtMs < filter.diedBefore().get().toEpochMilli();
    boolean isSince =
        filter.diedSince().isEmpty() || job.diedAtMs >= filter.diedSince().get().toEpochMilli();
    return hasError && isBefore && isSince;
  }

  /** The longest beginning of the text that fits, in whole characters. */
  public static String cut(String error) {
    String kept = error;
    while (kept.getBytes(StandardCharsets.UTF_8).length > Limits.ERROR_BYTES_MAX) {
      int last = kept.codePointBefore(kept.length());
      kept = kept.substring(0, kept.length() - Character.charCount(last));
    }
    return kept;
  }
}
