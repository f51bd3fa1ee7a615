package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobSearch;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Row;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one queue in one view, for checks that go over all of them.
 *
 * <p>Memory does not grow with the queue: keyspaces are gone through in chunks, and rows to which a
 * row refers are looked up key by key.
 */
final class QueueRows {

  private final ViewRows rows;
  private final SoundRows sound;
  private final int queue;
  private final int[] priorities;

  QueueRows(ViewRows rows, int queue) {
    this.rows = rows;
    this.sound = new SoundRows(rows);
    this.queue = queue;
    this.priorities = JobSearch.priorities(this::firstKey, queue);
  }

  /** Returns all rows of the view. */
  ViewRows all() {
    return rows;
  }

  SoundRows sound() {
    return sound;
  }

  int queue() {
    return queue;
  }

  /** Returns the priorities of which READY has rows, the highest first. */
  int[] priorities() {
    return priorities;
  }

  /** Hands over all of the queue's rows in the keyspace, in chunks. */
  void eachChunk(Keyspace keyspace, Consumer<List<Row>> consumer) {
    rows.eachChunk(KeyRange.of(keyspace, queue), consumer);
  }

  /** Returns the job's record, wherever it is; null if there is none that can be read. */
  @Nullable JobRecord locate(long birth) {
    try {
      byte[] place = JobSearch.place(rows::get, queue, birth, priorities);
      return place == null ? null : sound.job(place, queue, birth);
    } catch (CorruptDataException e) {
      return null;
    }
  }

  private byte @Nullable [] firstKey(byte[] startInclusive, byte[] endExclusive) {
    List<Row> first = rows.chunk(new KeyRange(startInclusive, endExclusive), 1);
    return first.isEmpty() ? null : first.get(0).key();
  }
}
