package io.millrace.internal.read;

import io.millrace.api.BatchId;
import io.millrace.api.CorruptDataException;
import io.millrace.api.Explanation;
import io.millrace.api.JobId;
import io.millrace.internal.explain.JobFacts.AwaitedBatch;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Count;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A look at a tally for which a job waits. Damaged rows are passed over. */
final class AwaitedTally {

  private final ViewRows rows;
  private final long number;

  AwaitedTally(ViewRows rows, long number) {
    this.rows = rows;
    this.number = number;
  }

  AwaitedBatch facts() {
    BatchId id = new BatchId(number);
    TallyRecord tally = tally();
    return tally == null
        ? AwaitedBatch.unknown(id)
        : new AwaitedBatch(
            id,
            true,
            tally.name(),
            tally.count(Count.LEFT),
            tally.count(Count.DEAD),
            deadJobs(tally),
            tally.is(TallyRecord.SEALED));
  }

  private @Nullable TallyRecord tally() {
    byte[] key = TallyKeys.key(number);
    try {
      return rows.get(key, TallyRecord::decode);
    } catch (CorruptDataException e) {
      rows.passOver(key);
      return null;
    }
  }

  private List<JobId> deadJobs(TallyRecord tally) {
    long most = Math.min(Explanation.DEAD_COUNT_MAX, tally.count(Count.DEAD));
    List<JobId> found = new ArrayList<>();
    for (int queue : tally.queues()) {
      addDead(found, queue, most);
    }
    return found;
  }

  /** Adds those that are among the first dead letters of the queue. */
  private void addDead(List<JobId> found, int queue, long most) {
    KeyRange rest = KeyRange.of(Keyspace.DEAD, queue);
    int seen = 0;
    while (found.size() < most && seen < Explanation.PLACE_MAX && !rows.isOverTime()) {
      List<Row> chunk = rows.chunk(rest, Explanation.PLACE_MAX - seen);
      if (chunk.isEmpty()) {
        return;
      }
      for (Row row : chunk) {
        JobRecord job = found.size() < most ? job(row) : null;
        if (job != null && job.tally() == number) {
          found.add(job.jobId(queue));
        }
      }
      seen += chunk.size();
      rest = rest.after(chunk.get(chunk.size() - 1).key());
    }
  }

  private @Nullable JobRecord job(Row row) {
    try {
      return rows.decode(row.key(), row.value(), JobRecord::decode);
    } catch (CorruptDataException e) {
      rows.passOver(row.key());
      return null;
    }
  }
}
