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
import java.util.Optional;

/**
 * Dead letters by queue, type and first line of their errors, the largest groups first.
 *
 * @param isWhole whether all dead letters were seen; else the counts are of the first ones
 */
public record DeadGroups(List<Group> groups, boolean isWhole) {

  private static final int COUNT_MAX = 200;

  /**
   * Dead letters that died of the same.
   *
   * @param error the first line of their errors; empty if they have none
   * @param count how many were seen
   * @param last when the last of them died
   */
  public record Group(QueueName queue, String type, String error, long count, Instant last) {

    /** Returns these dead letters and no others. */
    public Selection selection() {
      return new Selection(
          JobFilter.ALL.states(EnumSet.of(JobState.DEAD)).queue(queue).type(type),
          Optional.of(error));
    }
  }

  private record Key(QueueName queue, String type, String error) {}

  private record Seen(long count, Instant last) {
    Seen and(Seen other) {
      return new Seen(count + other.count, last.isAfter(other.last) ? last : other.last);
    }
  }

  /** Groups the dead letters of a selection. */
  public static DeadGroups of(Source source, Selection selection) {
    Map<Key, Seen> seen = new HashMap<>();
    boolean isWhole =
        Scan.run(
            source,
            new Selection(
                selection.filter().states(EnumSet.of(JobState.DEAD)), selection.errorLine()),
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
    return new Key(job.queue(), job.type(), Selection.errorLine(job));
  }

  private static Instant died(Job job) {
    return job.diedAt().orElse(job.enqueuedAt());
  }
}
