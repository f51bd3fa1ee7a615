package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Explanation;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.internal.explain.JobFacts.KeyHolder;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Other jobs of a job's queue, which hold the job back. Damaged ones are passed over. */
final class Neighbours {

  private final ViewRows rows;
  private final QueueName name;
  private final int queue;

  Neighbours(ViewRows rows, QueueName name, int queue) {
    this.rows = rows;
    this.name = name;
    this.queue = queue;
  }

  /**
   * The holders of a concurrency key.
   *
   * @param count how many jobs hold a slot
   * @param found those of them that were found
   */
  record Holders(long count, List<KeyHolder> found) {}

  /**
   * Returns the holders of the concurrency key that are among the first leased, ready, delayed and
   * waiting jobs.
   */
  Holders holders(byte[] slotKey, CountersRecord counters) {
    SlotRecord slots = slots(slotKey);
    long count = slots == null ? 0 : slots.holders();
    long most = slots == null ? Explanation.HOLDER_COUNT_MAX : count;
    List<KeyHolder> found = new ArrayList<>();
    addLeased(found, slotKey, most);
    int rowsLeft = Explanation.PLACE_MAX;
    for (CountersRecord.ReadyRow used : counters.ready()) {
      if (used.readyCount() > 0 && rowsLeft > 0 && !isFull(found, most) && !rows.isOverTime()) {
        rowsLeft -= addReady(found, slotKey, ready(used, rowsLeft));
      }
    }
    for (Keyspace waiting : SlotKeys.OF_KEEPERS) {
      if (!isFull(found, most) && !rows.isOverTime()) {
        addWaiting(found, slotKey, waiting);
      }
    }
    if (found.size() > most) {
      found.subList((int) most, found.size()).clear();
    }
    return new Holders(Math.max(count, found.size()), found);
  }

  /** Returns the counts of the key; null if no row that holds can be read. */
  private @Nullable SlotRecord slots(byte[] slotKey) {
    byte[] start = Keyspace.SLOT.queueStart(queue);
    boolean isLogged =
        !SlotKeys.isOfEngine(slotKey)
            && !rows.chunk(new KeyRange(start, SlotKeys.logEnd(queue)), 1).isEmpty();
    return isLogged ? null : orNull(slotKey, () -> rows.get(slotKey, SlotRecord::decode));
  }

  private static boolean isFull(List<KeyHolder> found, long most) {
    return found.size() >= Math.min(most, Explanation.HOLDER_COUNT_MAX);
  }

  private void addLeased(List<KeyHolder> found, byte[] slotKey, long most) {
    if (isFull(found, most) || rows.isOverTime()) {
      return;
    }
    List<Row> leases = rows.chunk(KeyRange.of(Keyspace.LEASE, queue), Explanation.PLACE_MAX);
    List<byte[]> places = new ArrayList<>(leases.size());
    for (Row row : leases) {
      LeaseRecord lease =
          orNull(row.key(), () -> rows.decode(row.key(), row.value(), LeaseRecord::decode));
      if (lease != null) {
        places.add(lease.readyKey(queue));
      }
    }
    List<byte @Nullable []> values = rows.getAll(places);
    for (int i = 0; i < places.size() && !isFull(found, most); i++) {
      byte[] value = values.get(i);
      JobRecord job = value == null ? null : job(places.get(i), value);
      if (job != null) {
        addIfOf(found, slotKey, job, JobState.LEASED);
      }
    }
  }

  private List<Row> ready(CountersRecord.ReadyRow used, int rowCountMax) {
    return rows.chunk(
        new KeyRange(
            ReadyKeys.key(queue, used.priority(), used.headSequence()),
            ReadyKeys.priorityEnd(queue, used.priority())),
        rowCountMax);
  }

  private int addReady(List<KeyHolder> found, byte[] slotKey, List<Row> line) {
    for (StoredJob ready : unleased(line)) {
      addIfOf(found, slotKey, ready.record(), JobState.READY);
    }
    return line.size();
  }

  private void addWaiting(List<KeyHolder> found, byte[] slotKey, Keyspace waiting) {
    for (Row row : rows.chunk(KeyRange.of(waiting, queue), Explanation.PLACE_MAX)) {
      JobRecord job = job(row.key(), row.value());
      if (job != null && job.holdsSlot()) {
        addIfOf(found, slotKey, job, Objects.requireNonNull(waiting.state(), "state"));
      }
    }
  }

  private void addIfOf(List<KeyHolder> found, byte[] slotKey, JobRecord job, JobState state) {
    if (Arrays.equals(slotKey, SlotKeys.ofJob(queue, job))) {
      found.add(new KeyHolder(job.jobId(queue), name, job.birth(), state));
    }
  }

  /** Returns the jobs of READY rows that are not leased. */
  List<StoredJob> unleased(List<Row> chunk) {
    List<StoredJob> jobs = new ArrayList<>(chunk.size());
    List<byte[]> leaseKeys = new ArrayList<>(chunk.size());
    for (Row row : chunk) {
      JobRecord record = job(row.key(), row.value());
      if (record != null) {
        jobs.add(new StoredJob(queue, row.key(), record, null));
        leaseKeys.add(LeaseKeys.key(queue, record.birth()));
      }
    }
    List<byte @Nullable []> leases = rows.getAll(leaseKeys);
    List<StoredJob> unleased = new ArrayList<>(jobs.size());
    for (int i = 0; i < jobs.size(); i++) {
      if (leases.get(i) == null) {
        unleased.add(jobs.get(i));
      }
    }
    return unleased;
  }

  private @Nullable JobRecord job(byte[] key, byte[] value) {
    return orNull(key, () -> rows.decode(key, value, JobRecord::decode));
  }

  /** A look at something that may be damaged. */
  private interface Question<T> {
    @Nullable T answer();
  }

  private <T> @Nullable T orNull(byte[] key, Question<T> question) {
    try {
      return question.answer();
    } catch (CorruptDataException e) {
      rows.passOver(key);
      return null;
    }
  }
}
