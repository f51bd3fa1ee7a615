package io.millrace.internal.read;

import io.millrace.api.Explanation;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.internal.explain.JobFacts.KeyHolder;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A search for the jobs that hold slots of a concurrency key. Nothing lists them, so it looks among
 * those that may hold one: first in the queue of the job that is blocked, and then, if it is a key
 * of the engine, in all others. Damaged rows are passed over.
 *
 * <p>The number of rows read is bounded: of the job's queue {@value Explanation#PLACE_MAX} of each
 * state, of all other queues together {@value Explanation#PLACE_MAX} leases, as many ready jobs,
 * and the counters of as many queues, which say where ready jobs are. The search ends with the last
 * holder.
 */
final class SlotHolders {

  private static final int ROWS_MAX = Explanation.PLACE_MAX;

  private final ViewRows rows;
  private final Neighbours neighbours;
  private final int queue;
  private final byte[] slotKey;
  private final long count;
  private final long most;
  private final List<KeyHolder> found = new ArrayList<>();
  private final Map<Integer, Optional<QueueName>> names = new HashMap<>();

  /** Creates a search for the holders of a key that blocks a job of this queue. */
  SlotHolders(ViewRows rows, int queue, byte[] slotKey) {
    this.rows = rows;
    this.neighbours = new Neighbours(rows);
    this.queue = queue;
    this.slotKey = slotKey;
    SlotRecord slots = slots();
    this.count = slots == null ? 0 : slots.holders();
    this.most = Math.min(slots == null ? Long.MAX_VALUE : count, Explanation.HOLDER_COUNT_MAX);
  }

  /** Returns how many jobs hold a slot. */
  long count() {
    return Math.max(count, found.size());
  }

  /**
   * Looks for the holders, and returns those that were found.
   *
   * @param counters the counters of the job's queue
   */
  List<KeyHolder> find(CountersRecord counters) {
    addLeased(KeyRange.of(Keyspace.LEASE, queue), ROWS_MAX);
    addReady(queue, counters, ROWS_MAX);
    if (SlotKeys.isOfEngine(slotKey)) {
      addOfOtherQueues();
    } else {
      SlotKeys.OF_KEEPERS.forEach(this::addWaiting);
    }
    return List.copyOf(found);
  }

  /** Returns the counts of the key; null if no row that holds can be read. */
  private @Nullable SlotRecord slots() {
    byte[] start = Keyspace.SLOT.queueStart(queue);
    boolean isLogged =
        !SlotKeys.isOfEngine(slotKey)
            && !rows.chunk(new KeyRange(start, SlotKeys.logEnd(queue)), 1).isEmpty();
    return isLogged
        ? null
        : neighbours.orNull(slotKey, () -> rows.get(slotKey, SlotRecord::decode));
  }

  private boolean isOver() {
    return found.size() >= most || rows.isOverTime();
  }

  /** Jobs keep no slot of a key of the engine while they wait: these are leased or ready. */
  private void addOfOtherQueues() {
    Keyspace leases = Keyspace.LEASE;
    int seen = addLeased(new KeyRange(leases.start(), leases.queueStart(queue)), ROWS_MAX);
    addLeased(new KeyRange(leases.queueEnd(queue), leases.end()), ROWS_MAX - seen);
    int left = ROWS_MAX;
    List<Row> counters =
        isOver() ? List.of() : rows.chunk(KeyRange.of(Keyspace.COUNTERS), ROWS_MAX);
    for (Row row : counters) {
      int other = Keyspace.queue(row.key());
      CountersRecord ofOther = other == queue || isOver() ? null : counters(row);
      left -= ofOther == null ? 0 : addReady(other, ofOther, left);
    }
  }

  private @Nullable CountersRecord counters(Row row) {
    return neighbours.orNull(
        row.key(), () -> rows.decode(row.key(), row.value(), CountersRecord::decode));
  }

  /** Returns how many leases it looked at. */
  private int addLeased(KeyRange range, int rowCountMax) {
    if (isOver() || rowCountMax <= 0) {
      return 0;
    }
    List<Row> leases = rows.chunk(range, rowCountMax);
    List<byte[]> places = new ArrayList<>(leases.size());
    for (Row row : leases) {
      LeaseRecord lease =
          neighbours.orNull(
              row.key(), () -> rows.decode(row.key(), row.value(), LeaseRecord::decode));
      if (lease != null) {
        places.add(lease.readyKey(Keyspace.queue(row.key())));
      }
    }
    List<byte @Nullable []> values = rows.getAll(places);
    for (int i = 0; i < places.size(); i++) {
      byte[] value = values.get(i);
      JobRecord job = value == null ? null : neighbours.job(places.get(i), value);
      if (job != null) {
        addIfOf(Keyspace.queue(places.get(i)), job, JobState.LEASED);
      }
    }
    return leases.size();
  }

  /** Returns how many ready jobs it looked at; a line that is empty against its count is one. */
  private int addReady(int of, CountersRecord counters, int rowCountMax) {
    int seen = 0;
    for (CountersRecord.ReadyRow used : counters.ready()) {
      if (used.readyCount() > 0 && seen < rowCountMax && !isOver()) {
        List<Row> line = rows.chunk(ready(of, used), rowCountMax - seen);
        for (StoredJob ready : neighbours.unleased(line)) {
          addIfOf(of, ready.record(), JobState.READY);
        }
        seen += Math.max(1, line.size());
      }
    }
    return seen;
  }

  private static KeyRange ready(int of, CountersRecord.ReadyRow used) {
    return new KeyRange(
        ReadyKeys.key(of, used.priority(), used.headSequence()),
        ReadyKeys.priorityEnd(of, used.priority()));
  }

  private void addWaiting(Keyspace waiting) {
    List<Row> chunk = isOver() ? List.of() : rows.chunk(KeyRange.of(waiting, queue), ROWS_MAX);
    for (Row row : chunk) {
      JobRecord job = neighbours.job(row.key(), row.value());
      if (job != null && job.holdsSlot()) {
        addIfOf(queue, job, Objects.requireNonNull(waiting.state(), "state"));
      }
    }
  }

  /** Adds the job if it is of the key. A queue that is being removed has no name to tell. */
  private void addIfOf(int of, JobRecord job, JobState state) {
    if (found.size() < most && Arrays.equals(slotKey, SlotKeys.ofJob(of, job))) {
      name(of).ifPresent(it -> found.add(new KeyHolder(job.jobId(of), it, job.birth(), state)));
    }
  }

  private Optional<QueueName> name(int of) {
    return names.computeIfAbsent(
        of,
        number ->
            Objects.requireNonNullElse(
                neighbours.orNull(QueueNameKeys.key(number), () -> rows.queueName(number)),
                Optional.empty()));
  }
}
