package io.millrace.internal.transition.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.UniqueKey;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobRecordBuilder;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.queue.Queues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The unique keys of the jobs of one call, and their holders: each job is judged in its turn,
 * against the store, the batch under way, and the jobs of the call before it.
 */
final class KeyedJobs {

  /** The keys by the places of their jobs in the call; null for a job without one. */
  private final List<@Nullable Wanted> wanted;

  /**
   * A key that a job is to hold.
   *
   * @param bytes the key in UTF-8
   * @param terms for how long it is held, and what happens if another job holds it
   */
  record Wanted(byte[] bytes, UniqueKey terms) {

    private boolean isReplacing() {
      return terms.onConflict() == UniqueKey.OnConflict.REPLACE;
    }

    void addTo(JobRecordBuilder job, long steadyMs) {
      job.set(JobField.UNIQUE_KEY, bytes);
      switch (terms.scope()) {
        case UNTIL_STARTED -> job.set(JobField.UNIQUE_SCOPE, UniqueRecord.UNTIL_STARTED);
        case UNTIL_FINISHED -> job.set(JobField.UNIQUE_SCOPE, UniqueRecord.UNTIL_FINISHED);
        case FOR ->
            job.set(JobField.UNIQUE_SCOPE, UniqueRecord.FOR)
                .set(JobField.UNIQUE_UNTIL_MS, steadyMs + terms.window().toMillis());
      }
    }
  }

  /** The judgement of a job. */
  sealed interface Verdict {

    /** A job that joins the queue. */
    record New() implements Verdict {}

    /**
     * A job that joins the queue, and for which a job that waits and holds its key is cancelled.
     */
    record InPlaceOf(FoundJob found, JobRecord job, UniqueRecord held) implements Verdict {}

    /** A job that joins the queue, and for which an earlier one of the same call is cancelled. */
    record InPlaceOfEarlier(int index) implements Verdict {}

    /** A job that does not join: another job holds its key. */
    record Duplicate(UniqueRecord held) implements Verdict {}

    /** A job that does not join: an earlier one of the same call holds its key. */
    record DuplicateOfEarlier(int index) implements Verdict {}

    /** A job that does not join: there is no room. */
    record Refused() implements Verdict {}
  }

  private KeyedJobs(List<@Nullable Wanted> wanted) {
    this.wanted = wanted;
  }

  /** Returns the keys of these jobs; null if none of them has one. */
  static @Nullable KeyedJobs of(List<NewJob> jobs) {
    boolean hasKeys = false;
    for (int i = 0; i < jobs.size() && !hasKeys; i++) {
      hasKeys = jobs.get(i).options().unique().isPresent();
    }
    if (!hasKeys) {
      return null;
    }
    List<@Nullable Wanted> wanted = new ArrayList<>(jobs.size());
    for (NewJob job : jobs) {
      wanted.add(
          job.options()
              .unique()
              .map(key -> new Wanted(key.key().getBytes(UTF_8), key))
              .orElse(null));
    }
    return new KeyedJobs(wanted);
  }

  /** Returns the key of the job at this place in the call, or null. */
  @Nullable Wanted get(int index) {
    return wanted.get(index);
  }

  /** Returns the cost of the keys. */
  Cost cost() {
    Cost sum = Cost.NOTHING;
    for (Wanted key : wanted) {
      if (key != null) {
        sum = sum.plus(key.isReplacing() ? Cost.TAKE_KEY.plus(Cost.END) : Cost.TAKE_KEY);
      }
    }
    return sum;
  }

  /** Wants the rows of the keys, and the records of jobs that may be replaced. */
  void declare(WorkingSet state, RowReads reads, QueueName name) {
    Queues.declare(state, reads, name, number -> declare(state, reads, number));
  }

  private void declare(WorkingSet state, RowReads reads, int queue) {
    for (Wanted key : wanted) {
      if (key == null) {
        continue;
      }
      byte[] rowKey = UniqueKeys.key(queue, key.bytes());
      if (key.isReplacing()) {
        reads.wantByKey(rowKey, value -> declareHolder(state, reads, rowKey, value));
      } else {
        reads.wantByKey(rowKey);
      }
    }
  }

  private static void declareHolder(
      WorkingSet state, RowReads reads, byte[] rowKey, byte @Nullable [] value) {
    JobPlace holder =
        value == null ? null : JobPlace.of(UniqueRecord.decode(rowKey, value).jobId());
    if (holder != null) {
      holder.declare(state, reads);
    }
  }

  /**
   * Judges each job.
   *
   * @param number of the queue; negative if none is known, and then no job holds its keys
   * @param room how many more jobs may wait in the queue
   */
  List<Verdict> judge(OpenBatch batch, int number, long room) {
    Map<byte[], Integer> takers = new TreeMap<>(Arrays::compareUnsigned);
    List<Verdict> verdicts = new ArrayList<>(wanted.size());
    long left = room;
    for (int i = 0; i < wanted.size(); i++) {
      Wanted key = wanted.get(i);
      Verdict verdict = key == null ? new Verdict.New() : judge(batch, number, key, takers);
      if (verdict instanceof Verdict.New) {
        verdict = left > 0 ? verdict : new Verdict.Refused();
        left--;
      }
      if (key != null && joins(verdict)) {
        takers.put(key.bytes(), i);
      }
      verdicts.add(verdict);
    }
    return verdicts;
  }

  /** Tells whether the job is in the queue then. */
  static boolean joins(Verdict verdict) {
    return verdict instanceof Verdict.New
        || verdict instanceof Verdict.InPlaceOf
        || verdict instanceof Verdict.InPlaceOfEarlier;
  }

  private static Verdict judge(
      OpenBatch batch, int number, Wanted key, Map<byte[], Integer> takers) {
    Integer earlier = takers.get(key.bytes());
    if (earlier != null) {
      return key.isReplacing()
          ? new Verdict.InPlaceOfEarlier(earlier)
          : new Verdict.DuplicateOfEarlier(earlier);
    }
    UniqueRecord held =
        number < 0 ? null : HeldKeys.holder(batch, UniqueKeys.key(number, key.bytes()));
    if (held == null) {
      return new Verdict.New();
    }
    return key.isReplacing() ? judgeHolder(batch, key, held) : new Verdict.Duplicate(held);
  }

  /**
   * Judges a job that is to replace the holder of its key: a holder that waits is replaced; one
   * that is worked on keeps the key, and so does the clock.
   */
  private static Verdict judgeHolder(OpenBatch batch, Wanted key, UniqueRecord held) {
    JobPlace place = JobPlace.of(held.jobId());
    if (place != null && batch.planned().leaseOn(place.birth(), batch.state().leases()) != null) {
      return new Verdict.Duplicate(held);
    }
    FoundJob found = place == null ? null : FoundJob.at(place, batch);
    JobRecord job = found == null || found.hasEnded() ? null : found.record(batch);
    if (found != null && job != null && isHolder(found, job, key, held)) {
      return new Verdict.InPlaceOf(found, job, held);
    }
    // A row that names a job which does not hold the key is left over from damage.
    return held.scope() == UniqueRecord.FOR ? new Verdict.Duplicate(held) : new Verdict.New();
  }

  private static boolean isHolder(FoundJob found, JobRecord job, Wanted key, UniqueRecord held) {
    return job.jobId(found.queueNumber()).equals(held.jobId())
        && Arrays.equals(job.uniqueKey(), key.bytes());
  }
}
