package io.millrace.console.source;

import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Dead letters by queue, type and first line of their errors, the largest groups first.
 *
 * @param isWhole whether all dead letters were seen; else the counts are of the first ones
 */
public record DeadGroups(List<Group> groups, boolean isWhole) {

  private static final int COUNT_MAX = 200;
  private static final int LINE_LENGTH_MAX = 300;

  /**
   * Dead letters that died of the same.
   *
   * @param error the first line of their errors; empty if they have none
   * @param count how many were seen
   * @param last when the last of them died
   */
  public record Group(QueueName queue, String type, String error, long count, Instant last) {

    /** Returns the filter that these dead letters meet. */
    public JobFilter filter() {
      JobFilter filter = JobFilter.ALL.states(EnumSet.of(JobState.DEAD)).queue(queue).type(type);
      return error.isEmpty() ? filter : filter.errorContains(error);
    }
  }

  private record Key(QueueName queue, String type, String error) {}

  private record Seen(long count, Instant last) {
    Seen and(Seen other) {
      return new Seen(count + other.count, last.isAfter(other.last) ? last : other.last);
    }
  }

  /** Groups the dead letters that meet the filter. */
  public static DeadGroups of(Source source, JobFilter filter) {
    Map<Key, Seen> seen = new HashMap<>();
    boolean isWhole =
        Scan.run(
            source,
            filter.states(EnumSet.of(JobState.DEAD)),
            job -> seen.merge(key(job), new Seen(1, died(job)), Seen::and));
    List<Group> groups =
        seen.entrySet().stream()
            .map(each -> group(each.getKey(), each.getValue()))
            .sorted(
                Comparator.comparingLong(Group::count)
                    .reversed()
                    .thenComparing(Group::last, Comparator.reverseOrder()))
            .limit(COUNT_MAX)
            .toList();
    return new DeadGroups(groups, isWhole && seen.size() <= COUNT_MAX);
  }

  private static Group group(Key key, Seen seen) {
    return new Group(key.queue(), key.type(), key.error(), seen.count(), seen.last());
  }

  private static Key key(Job job) {
    return new Key(job.queue(), job.type(), firstLine(job.lastError().orElse("")));
  }

  private static Instant died(Job job) {
    return job.diedAt().orElse(job.enqueuedAt());
  }

  /** Returns the first line, not cut within a character. */
  static String firstLine(String error) {
    String line = error.lines().findFirst().orElse("");
    if (line.length() <= LINE_LENGTH_MAX) {
      return line;
    }
    boolean isWithin = Character.isHighSurrogate(line.charAt(LINE_LENGTH_MAX - 1));
    return line.substring(0, isWithin ? LINE_LENGTH_MAX - 1 : LINE_LENGTH_MAX);
  }
}
