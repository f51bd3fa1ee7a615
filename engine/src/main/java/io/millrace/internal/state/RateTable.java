package io.millrace.internal.state;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import io.millrace.internal.format.EngineRate;
import io.millrace.internal.format.SlotKeys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The token buckets of rate limits, of queues, of their concurrency keys and of keys over all
 * queues, and the times at which claims that wait for tokens are looked at again.
 *
 * <p>Buckets belong to the names of queues and are kept apart from the queues: a queue that is
 * unloaded, or deleted and made anew, does not get a burst for that. A bucket that is not here is
 * full. A bucket that is full again is forgotten, so that there are no more buckets than starts in
 * the time in which a bucket fills, and never more than {@value #KEPT_COUNT_MAX}: beyond that the
 * oldest bucket is forgotten too early.
 *
 * <p>Times are steady time, which nobody can set. The tokens that the batch under way takes and
 * gives back are restored if it never happens. Belongs to the loop's thread.
 */
public final class RateTable {

  /** The most buckets that are kept, each of some 200 bytes. */
  public static final int KEPT_COUNT_MAX = 1_000_000;

  /** A time that never comes: no claim waits for a token. */
  public static final long NEVER = ShutKeys.NEVER;

  /** A time that is always over. */
  private static final long AT_ONCE_MS = 0;

  /**
   * The most queues that are told when a token of one key comes back; others find it at its time.
   */
  private static final int ASKING_COUNT_MAX = 65_536;

  /** The number of buckets that each batch looks at, to forget the full ones. */
  private static final int LOOK_COUNT = 16;

  private final UndoLog undoLog;
  private final Function<QueueName, @Nullable QueueState> known;
  private final int keptCountMax;
  private final Map<Name, Entry> entries = new HashMap<>();

  /** All entries, in the order in which they were looked at, the least recent first. */
  private final Deque<Entry> ring = new ArrayDeque<>();

  private final Map<QueueName, Alarm> alarms = new HashMap<>();
  private final TreeSet<Alarm> byTime =
      new TreeSet<>(
          Comparator.comparingLong(Alarm::atMs)
              .thenComparing(alarm -> alarm.queue().name())
              .thenComparing(alarm -> alarm.queue().tenant()));
  private final HeldUp heldUp = new HeldUp();
  private int lookCount = LOOK_COUNT;
  private long nowMs = Long.MIN_VALUE;

  /**
   * Creates the table without any buckets.
   *
   * @param known finds what memory has of a queue
   */
  RateTable(UndoLog undoLog, Function<QueueName, @Nullable QueueState> known) {
    this(undoLog, known, KEPT_COUNT_MAX);
  }

  RateTable(UndoLog undoLog, Function<QueueName, @Nullable QueueState> known, int keptCountMax) {
    this.undoLog = undoLog;
    this.known = known;
    this.keptCountMax = keptCountMax;
  }

  /** The owner of a bucket: a queue, one of its concurrency keys, or a key over all queues. */
  private static final class Name {
    private final @Nullable QueueName queue;
    private final byte @Nullable [] key;
    private final int hash;

    Name(QueueName queue, byte @Nullable [] slotKey) {
      this.queue = queue;
      this.key = slotKey == null ? null : SlotKeys.withoutQueue(slotKey);
      this.hash = 31 * queue.hashCode() + Arrays.hashCode(key);
    }

    Name(EngineRate rate) {
      this.queue = null;
      this.key = rate.key();
      this.hash = Arrays.hashCode(key);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Name that
          && hash == that.hash
          && Arrays.equals(key, that.key)
          && Objects.equals(queue, that.queue);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /**
   * A bucket.
   *
   * @param asking the queues that found none of its tokens; only of a limit over all queues
   */
  private record Entry(Name name, TokenBucket bucket, Set<QueueName> asking) {}

  /** A time at which claims that wait for the queue are looked at again. */
  private record Alarm(QueueName queue, long atMs) {}

  /**
   * Returns when the queue's limit allows a job of it to be started: now, if there is a token or no
   * limit.
   */
  public long nextTokenMs(QueueState queue, long now) {
    return nextTokenMs(queue.settings().rateLimit(), queue.name(), null, now);
  }

  /**
   * Returns when the limit of the concurrency key that is counted under the slot key allows a job
   * of the queue to be started: now, if there is a token or no limit.
   */
  public long nextTokenMs(QueueState queue, byte[] slotKey, long now) {
    return nextTokenMs(queue.settings().rateLimitPerKey(), queue.name(), slotKey, now);
  }

  /**
   * Returns when the limits that the gates of a job name allow it to be started: now, if there are
   * tokens or no limits.
   */
  public long nextTokenMs(QueueState queue, Gates gates, long now) {
    byte[] slotKey = gates.slotKey();
    long ofKeyMs = slotKey == null ? now : nextTokenMs(queue, slotKey, now);
    EngineRate rate = gates.rate();
    return rate == null ? ofKeyMs : Math.max(ofKeyMs, nextTokenMs(queue, rate, now));
  }

  private long nextTokenMs(QueueState queue, EngineRate rate, long now) {
    nowMs = now;
    Entry entry = entries.get(new Name(rate));
    long nextMs = entry == null ? now : entry.bucket.nextTokenMs(rate.limit(), now);
    if (entry != null && nextMs > now && entry.asking.size() < ASKING_COUNT_MAX) {
      entry.asking.add(queue.name());
    }
    return nextMs;
  }

  /** Returns when there is a token for a start by a limit over all queues, and changes nothing. */
  public long lookMs(EngineRate rate, long now) {
    Entry entry = entries.get(new Name(rate));
    return entry == null ? now : entry.bucket.lookOfOtherMs(rate.limit(), now);
  }

  private long nextTokenMs(
      Optional<RateLimit> limit, QueueName queue, byte @Nullable [] key, long now) {
    if (limit.isEmpty()) {
      return now;
    }
    Entry entry = find(new Name(queue, key), limit.get(), now);
    return entry == null ? now : entry.bucket.nextTokenMs(now);
  }

  /**
   * Returns when there is a token of a limit, and changes nothing. The queue need not be in memory.
   *
   * @param limit the limit by the settings; empty for none
   * @param slotKey the key under which the concurrency key is counted; null for the limit of the
   *     queue itself
   */
  public long lookMs(
      QueueName queue, Optional<RateLimit> limit, byte @Nullable [] slotKey, long now) {
    Entry entry = limit.isEmpty() ? null : entries.get(new Name(queue, slotKey));
    return entry == null ? now : entry.bucket.lookMs(limit.orElseThrow(), now);
  }

  /** Tells whether no claim gets anything of the queue now, for want of jobs or of tokens. */
  public boolean hasNothing(QueueState queue, long now) {
    return queue.count(JobState.READY) == 0 || isShut(queue, now);
  }

  /**
   * Tells whether no claim gets anything of the queue now, for want of tokens. If so, claims that
   * wait for the queue are looked at again when there is one.
   */
  public boolean isShut(QueueState queue, long now) {
    QueueSettings settings = queue.settings();
    if (settings.rateLimit().isEmpty() && queue.shut().isEmpty()) {
      return false;
    }
    long nextMs =
        Math.max(
            nextTokenMs(queue, now),
            queue.shut().allUntilMs(queue.count(JobState.READY), settings.rateLimitPerKey()));
    if (nextMs <= now) {
      return false;
    }
    wakeAt(queue.name(), nextMs);
    return true;
  }

  /** Takes the tokens that a granted lease needs, which must be there. */
  public void take(QueueState queue, LeaseEntry lease, long now) {
    QueueSettings settings = queue.settings();
    byte[] key = lease.slotKey();
    TakenTokens.Token ofQueue = take(settings.rateLimit(), queue.name(), null, now);
    TakenTokens.Token ofKey =
        key == null ? null : take(settings.rateLimitPerKey(), queue.name(), key, now);
    EngineRate rate = lease.engineRate();
    TakenTokens.Token ofEngine = rate == null ? null : take(rate, now);
    if (ofQueue != null || ofKey != null || ofEngine != null) {
      TakenTokens taken = new TakenTokens(ofQueue, ofKey, ofEngine);
      lease.setTakenTokens(taken);
      undoLog.add(
          () -> {
            // A lease whose holder was told of it early outlives its batch, and so does this.
            if (!lease.isTold()) {
              lease.setTakenTokens(null);
              taken.giveBack(nowMs);
            }
          });
    }
  }

  private TakenTokens.@Nullable Token take(
      Optional<RateLimit> limit, QueueName queue, byte @Nullable [] slotKey, long now) {
    if (limit.isEmpty()) {
      return null;
    }
    Name name = new Name(queue, slotKey);
    Entry found = find(name, limit.get(), now);
    TokenBucket bucket = (found == null ? add(name, limit.get(), now) : found).bucket;
    return new TakenTokens.Token(bucket, null, bucket.take(now));
  }

  private TakenTokens.Token take(EngineRate rate, long now) {
    Name name = new Name(rate);
    Entry found = entries.get(name);
    TokenBucket bucket = (found == null ? add(name, rate.limit(), now) : found).bucket;
    long owedUntilMs = bucket.take(rate.limit(), now);
    heldUp
        .take(rate.key(), limit -> bucket.nextTokenMs(limit, now) > now)
        .forEach(queue -> wakeAt(queue, AT_ONCE_MS));
    return new TakenTokens.Token(bucket, rate.limit(), owedUntilMs);
  }

  /**
   * Notes that claims of the queue take nothing from behind a heavy job that names this limit and
   * has a token of it.
   */
  public void holdUp(QueueState queue, EngineRate rate) {
    heldUp.add(queue.name(), rate);
  }

  /** Gives back the tokens that a lease took, which is handed back and counts as no start. */
  public void giveBack(QueueState queue, LeaseEntry lease, long now) {
    TakenTokens taken = lease.takenTokens();
    if (taken == null) {
      return;
    }
    nowMs = now;
    // Once: after an outage the same lease may be handed back again.
    lease.setTakenTokens(null);
    Runnable undo = taken.giveBack(now);
    undoLog.add(
        () -> {
          lease.setTakenTokens(taken);
          undo.run();
        });
    wakeAtOnce(queue.name());
    byte[] key = lease.slotKey();
    if (key != null) {
      queue.shut().reopen(key);
    }
    EngineRate rate = lease.engineRate();
    if (rate != null) {
      reopen(rate);
    }
  }

  /**
   * Looks again at queues that wait for a token of this limit over all queues, which may be there
   * before its time.
   */
  private void reopen(EngineRate rate) {
    Entry entry = entries.get(new Name(rate));
    if (entry == null) {
      return;
    }
    for (QueueName name : entry.asking) {
      QueueState queue = known.apply(name);
      if (queue != null) {
        queue.shut().reopenOfEngine(rate.key());
      }
      wakeAtOnce(name);
    }
    entry.asking.clear();
  }

  /**
   * Returns the entry of a bucket, changed to the given limit; null if none is kept, for a bucket
   * that is not kept is full.
   */
  private @Nullable Entry find(Name name, RateLimit limit, long now) {
    nowMs = now;
    Entry entry = entries.get(name);
    if (entry != null) {
      // The limit may have been changed while the queue was not in memory.
      change(entry, limit, now);
    }
    return entry;
  }

  private Entry add(Name name, RateLimit limit, long now) {
    if (entries.size() >= keptCountMax && !ring.isEmpty()) {
      Entry oldest = ring.remove();
      entries.remove(oldest.name, oldest);
    }
    Set<QueueName> asking = name.queue == null ? new LinkedHashSet<>() : Set.of();
    Entry entry = new Entry(name, new TokenBucket(limit, now), asking);
    entries.put(name, entry);
    ring.add(entry);
    lookCount += 2;
    return entry;
  }

  /**
   * Forgets full buckets, since the batch is in the store and nothing is given back to any bucket.
   */
  void commitBatch() {
    for (int i = Math.min(lookCount, ring.size()); i > 0; i--) {
      Entry entry = ring.remove();
      boolean isKept = entries.get(entry.name) == entry;
      if (isKept && entry.bucket.isFull(nowMs)) {
        entries.remove(entry.name);
      } else if (isKept) {
        ring.add(entry);
      }
    }
    lookCount = LOOK_COUNT;
  }

  /** Makes this batch look at the given number of buckets at least, to forget the full ones. */
  public void lookAt(int count, long now) {
    nowMs = now;
    lookCount = Math.max(lookCount, count);
  }

  /** Returns how many buckets are kept. */
  public int size() {
    return entries.size();
  }

  /**
   * Sets the time at which claims that wait for the queue are looked at again, unless an earlier
   * one is set.
   */
  public void wakeAt(QueueName queue, long atMs) {
    Alarm known = alarms.get(queue);
    if (known == null || atMs < known.atMs) {
      if (known != null) {
        byTime.remove(known);
      }
      Alarm alarm = new Alarm(queue, atMs);
      alarms.put(queue, alarm);
      byTime.add(alarm);
    }
  }

  /**
   * Lets claims that wait for a token of the queue be looked at again at once: one may be there
   * before its time.
   */
  private void wakeAtOnce(QueueName queue) {
    if (alarms.containsKey(queue)) {
      wakeAt(queue, AT_ONCE_MS);
    }
  }

  /** Tells whether claims that wait for the queue are looked at again at some time. */
  public boolean willWake(QueueName queue) {
    return alarms.containsKey(queue);
  }

  /** Returns of how many queues claims found no token, and still wait for the next one. */
  public int waitingQueueCount() {
    return alarms.size();
  }

  /** Returns when claims that wait for some queue are looked at again; {@link #NEVER} for none. */
  public long nextWakeMs() {
    return byTime.isEmpty() ? NEVER : byTime.first().atMs;
  }

  /** Returns the queues whose waiting claims are to be looked at now, and forgets their times. */
  public List<QueueName> takeWoken(long now, int countMax) {
    List<QueueName> taken = new ArrayList<>();
    while (taken.size() < countMax && nextWakeMs() <= now) {
      Alarm alarm = byTime.pollFirst();
      alarms.remove(alarm.queue);
      undoLog.add(() -> wakeAt(alarm.queue, alarm.atMs));
      taken.add(alarm.queue);
    }
    return taken;
  }

  /**
   * Takes over changed settings of the queue: the debts of its buckets are converted to the new
   * limits, and buckets of limits that no longer exist are forgotten. Claims that wait for tokens
   * are looked at again at once.
   */
  public void changed(QueueState queue, long now) {
    forgetShut(queue);
    changed(name -> name.equals(queue.name()) ? queue : null, now);
    wakeAtOnce(queue.name());
  }

  /** Looks at each bucket once, and finds the queue by name whose settings may have changed. */
  private void changed(Function<QueueName, @Nullable QueueState> queues, long now) {
    nowMs = now;
    List<Entry> over = new ArrayList<>(0);
    for (Entry entry : entries.values()) {
      QueueName name = entry.name.queue;
      QueueState queue = name == null ? null : queues.apply(name);
      if (queue != null) {
        QueueSettings settings = queue.settings();
        Optional<RateLimit> limit =
            entry.name.key == null ? settings.rateLimit() : settings.rateLimitPerKey();
        limit.ifPresentOrElse(value -> change(entry, value, now), () -> over.add(entry));
      }
    }
    for (Entry entry : over) {
      entries.remove(entry.name);
      undoLog.add(() -> entries.put(entry.name, entry));
    }
  }

  /**
   * Forgets the jobs that were put aside by a former limit: their tokens may come earlier, even if
   * that limit is set again.
   */
  private static void forgetShut(QueueState queue) {
    queue.shut().check(queue.settings().rateLimitPerKey());
  }

  private void change(Entry entry, RateLimit limit, long now) {
    if (!entry.bucket.limit().equals(limit)) {
      TokenBucket.Level before = entry.bucket.level();
      undoLog.add(() -> entry.bucket.setLevel(before));
      entry.bucket.change(limit, now);
    }
  }

  /** Takes over changed settings of many queues, with one look at each bucket. */
  public void changed(Map<QueueName, QueueState> loaded, long now) {
    loaded.values().forEach(RateTable::forgetShut);
    changed(name -> loaded.get(name), now);
  }

  /**
   * Lets claims that wait for tokens of queues of this name, in memory or not, be looked at again
   * at once, since the settings of these queues may have changed.
   */
  public void mayHaveChanged(String queueName) {
    for (QueueName queue : List.copyOf(alarms.keySet())) {
      if (queue.name().equals(queueName)) {
        wakeAt(queue, AT_ONCE_MS);
      }
    }
  }

  /**
   * Forgets all buckets, which are full then, since another owner has had the store and started
   * jobs of all queues.
   */
  public void clear() {
    entries.clear();
    ring.clear();
    List.copyOf(alarms.keySet()).forEach(queue -> wakeAt(queue, AT_ONCE_MS));
  }
}
