package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.NameSettings;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.Row;
import io.millrace.spi.ReadView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one view, decoded. Lives as long as the view and remembers the keys of corrupt rows.
 */
final class ViewRows {

  /** The time that one short view may be open before its answer ends, in nanoseconds. */
  private static final long OPEN_NS_MAX = 1_000_000_000L;

  private final ReadView view;
  private final LongSupplier monotonicNs;
  private final long openedNs;
  private final List<byte[]> corruptKeys = new ArrayList<>();
  private final List<byte[]> passedOver = new ArrayList<>();
  private @Nullable Long leadMs;
  private Map.@Nullable Entry<QueueName, QueueSettings> lastSettings;

  /** Creates the rows of a view that may be open for as long as it takes. */
  ViewRows(ReadView view) {
    this(view, () -> 0);
  }

  /**
   * Creates the rows of a view that was just opened.
   *
   * @param monotonicNs the clock that tells how long the view has been open
   */
  ViewRows(ReadView view, LongSupplier monotonicNs) {
    this.view = view;
    this.monotonicNs = monotonicNs;
    this.openedNs = monotonicNs.getAsLong();
  }

  /** Tells whether the view has been open for so long that the answer must do with what it has. */
  boolean isOverTime() {
    return monotonicNs.getAsLong() - openedNs >= OPEN_NS_MAX;
  }

  /** A function that makes a record of a row. */
  @FunctionalInterface
  interface Decoder<T> {
    /**
     * Returns the record at the key.
     *
     * @throws CorruptDataException the row is damaged
     */
    T decode(byte[] key, byte[] value);
  }

  /** Returns the keys of the corrupt rows met so far. */
  List<byte[]> corruptKeys() {
    return List.copyOf(corruptKeys);
  }

  /** Notes a damaged row without which the answer is given; the caller is not told. */
  void passOver(byte[] key) {
    passedOver.add(key);
  }

  /** Returns the number of the newest batch that is seen. */
  long commit() {
    return view.commit();
  }

  /**
   * Returns the keys of the damaged rows without which the answer is given; the caller is not told.
   */
  List<byte[]> passedOver() {
    return List.copyOf(passedOver);
  }

  <T> T decode(byte[] key, byte[] value, Decoder<T> decoder) {
    try {
      return decoder.decode(key, value);
    } catch (CorruptDataException e) {
      // It may be met again, when the rows around it are looked at one by one.
      if (corruptKeys.stream().noneMatch(known -> Arrays.equals(known, key))) {
        corruptKeys.add(key);
      }
      throw e;
    }
  }

  /** Returns the name of the queue of this number, unless the queue was deleted. */
  Optional<QueueName> queueName(int number) {
    QueueNameRecord name = get(QueueNameKeys.key(number), QueueNameRecord::decode);
    return name == null || name.state() == QueueNameRecord.State.DROPPED
        ? Optional.empty()
        : Optional.of(name.name());
  }

  /** Returns the record at the key; null if there is none. */
  <T> @Nullable T get(byte[] key, Decoder<T> decoder) {
    byte[] value = view.get(key);
    return value == null ? null : decode(key, value, decoder);
  }

  /**
   * Notes a row that should be there: it counts as corrupt. Returns the exception that tells the
   * caller.
   */
  CorruptDataException missing(String what, byte[] key) {
    corruptKeys.add(key);
    return new CorruptDataException(
        what + " is missing: keyspace=" + Keyspace.ofKey(key) + ", key=" + Bytes.hex(key));
  }

  /**
   * Returns how far steady time was ahead of engine time at the last commit; a damaged row hides no
   * job.
   */
  long steadyLeadMs() {
    if (leadMs == null) {
      leadMs = orDefault(MetaKeys.TIME, this::storedLeadMs, 0L);
    }
    return leadMs;
  }

  private long storedLeadMs() {
    MetaRecords.Time time = get(MetaKeys.TIME, (key, value) -> MetaRecords.Time.decode(value));
    return time == null ? 0 : time.steadyLeadMs();
  }

  /** Returns the queue of that name; empty if there is none. */
  Optional<QueueRecord> queue(QueueName name) {
    return Optional.ofNullable(get(QueueKeys.key(name), QueueRecord::decode));
  }

  /** Returns the settings that hold for the queue: its own, else those for its name. */
  QueueSettings settings(QueueName name) {
    return own(name).over(settings(name.name()));
  }

  /**
   * Returns the settings that hold for the queue, to show its jobs. Unlike {@link
   * #settings(QueueName)} it passes over damaged rows, which hide no job.
   */
  QueueSettings settingsOfJobs(QueueName name) {
    Map.Entry<QueueName, QueueSettings> known = lastSettings;
    if (known == null || !known.getKey().equals(name)) {
      QueueSettings own = orDefault(QueueKeys.key(name), () -> own(name), QueueSettings.DEFAULT);
      byte[] nameKey = NameSettings.key(name.name());
      QueueSettings ofName = orDefault(nameKey, () -> settings(name.name()), QueueSettings.DEFAULT);
      known = Map.entry(name, own.over(ofName));
      lastSettings = known;
    }
    return known.getValue();
  }

  private QueueSettings own(QueueName name) {
    return queue(name).map(QueueRecord::settings).orElse(QueueSettings.DEFAULT);
  }

  private <T> T orDefault(byte[] key, Supplier<T> read, T ifDamaged) {
    try {
      return read.get();
    } catch (CorruptDataException e) {
      passedOver.add(key);
      return ifDamaged;
    }
  }

  /** Returns the settings for all queues of the name. */
  QueueSettings settings(String queueName) {
    QueueSettings ofName = get(NameSettings.key(queueName), NameSettings::decode);
    return ofName == null ? QueueSettings.DEFAULT : ofName;
  }

  /** Returns the queue's counters; those of a queue to which nothing happened have no row. */
  CountersRecord counters(int queue) {
    CountersRecord counters = get(CounterKeys.key(queue), CountersRecord::decode);
    return counters == null ? CountersRecord.empty() : counters;
  }

  /** Returns the key's value; null if there is none. */
  byte @Nullable [] get(byte[] key) {
    return view.get(key);
  }

  boolean has(byte[] key) {
    return get(key) != null;
  }

  List<byte @Nullable []> getAll(List<byte[]> keys) {
    return keys.isEmpty() ? List.of() : view.getAll(keys);
  }

  /**
   * Returns the first rows of the range, at most as many as asked for and hardly more than {@link
   * Row#CHUNK_BYTES_MAX}: only none means that the range is at its end.
   */
  List<Row> chunk(KeyRange range, int rowCountMax) {
    Row.Chunk chunk = new Row.Chunk();
    if (!range.isEmpty()) {
      view.scan(range.startInclusive(), range.endExclusive(), rowCountMax, chunk::add);
    }
    return chunk.rows();
  }

  /** Returns how many rows the range has, counted up to {@code most}; their values are not kept. */
  int count(KeyRange range, int most) {
    return range.isEmpty()
        ? 0
        : view.scan(range.startInclusive(), range.endExclusive(), most, (key, value) -> true);
  }

  /** Hands over all rows of the range, in chunks. */
  void eachChunk(KeyRange range, Consumer<List<Row>> consumer) {
    KeyRange rest = range;
    List<Row> chunk = chunk(rest, Row.CHUNK_ROWS_MAX);
    while (!chunk.isEmpty()) {
      consumer.accept(chunk);
      rest = rest.after(chunk.get(chunk.size() - 1).key());
      chunk = chunk(rest, Row.CHUNK_ROWS_MAX);
    }
  }
}
