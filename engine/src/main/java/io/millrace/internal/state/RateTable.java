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
 * queues, and when claims that wait for tokens are to be served.
 *
 * <p>They belong to the names of the queues and are apart from what is known of these: a queue that
 * is unloaded, or deleted and made anew, does not get a burst for that. A bucket that is not here
 * is full. One that is full again is forgotten, so that there are no more than starts in the time
 * in which a bucket fills, and never more than {@value #KEPT_COUNT_MAX}: beyond that the one that
 * was made first is forgotten too early.
 *
 * <p>Times are steady time: nobody can set it. What the batch under way takes and gives back goes
 * back with it if it never happens. Belongs to the loop's thread.
 */
public final class RateTable {

  /** Buckets that are kept at most, each some 200 bytes. */
  public static final int KEPT_COUNT_MAX = 1_000_000;

  /** Never: nothing waits for a token. */
  public static final long NEVER = ShutKeys.NEVER;

  /** A time that is always over. */
  private static final long AT_ONCE_MS = 0;

  /** Queues that are told of a token of one key that came back; others find it at its time. */
  private static final int ASKING_COUNT_MAX = 65_536;

  /** Buckets that each batch looks at, to forget the full ones. */
  private static final int LOOK_COUNT = 16;

  private final UndoLog undoLog;
  private final Function<QueueName, @Nullable QueueState> known;
  private final int keptCountMax;
  private final Map<Name, Entry> entries = new HashMap<>();

  /** All entries, those first that were not looked at for longest. */
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
   * Without any bucket.
   *
   * @param known what memory has of a queue
   */
  RateTable(UndoLog undoLog, Function<QueueName, @Nullable QueueState> known) {
    this(undoLog, known, KEPT_COUNT_MAX);
  }

  RateTable(UndoLog undoLog, Function<QueueName, @Nullable QueueState> known, int keptCountMax) {
    this.undoLog = undoLog;
    this.known = known;
    this.keptCountMax = keptCountMax;
  }

  /** Whose bucket it is: a queue's, that of one of its concurrency keys, or of no queue. */
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
   * @param asking queues that found none of its tokens; of a limit over all queues only
   */
  private record Entry(Name name, TokenBucket bucket, Set<QueueName> asking) {}

  /** Claims that wait for the queue are to be looked at again then. */
  private record Alarm(QueueName queue, long atMs) {}

  /**
   * When a job of the queue may be started as far as the limit of the queue goes: now, if there is
   * a token or no limit.
   */
  public long nextTokenMs(QueueState queue, long now) {
    return nextTokenMs(queue.settings().rateLimit(), queue.name(), null, now);
  }

  /** As the other, as far as the limit of the concurrency key goes that is counted there. */
  public long nextTokenMs(QueueState queue, byte[] slotKey, long now) {
    return nextTokenMs(queue.settings().rateLimitPerKey(), queue.name(), slotKey, now);
  }

  /** As the other, as far as the limits go that the gates of a job of the queue name. */
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

  /** As {@link #lookMs(QueueName, Optional, byte[], long)}, of a limit over all queues. */
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
   * As the others, for somebody who only looks: of a queue that need not be in memory.
   *
   * @param limit as the settings say; empty for none
   * @param slotKey where the concurrency key is counted; null for the limit of the queue itself
   */
  public long lookMs(
      QueueName queue, Optional<RateLimit> limit, byte @Nullable [] slotKey, long now) {
    Entry entry = limit.isEmpty() ? null : entries.get(new Name(queue, slotKey));
    return entry == null ? now : entry.bucket.lookMs(limit.orElseThrow(), now);
  }

  /** Whether no claim gets anything of the queue by now, for want of jobs or of tokens. */
  public boolean hasNothing(QueueState queue, long now) {
    return queue.count(JobState.READY) == 0 || isShut(queue, now);
  }

  /**
   * Whether no claim gets anything of the queue by now, for want of tokens. Then claims that wait
   * for it are looked at again when there is one.
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

  /** A lease was granted: takes what tokens that needs, and they must be there. */
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

  /** Claims of the queue wait for room for a heavy job that names this limit, and has a token. */
  public void holdUp(QueueState queue, EngineRate rate) {
    heldUp.add(queue.name(), rate);
  }

  /** A lease is handed back, and counts as no start: what tokens it took come back. */
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

  /** A token over all queues may be there before the time at which somebody waits for it. */
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

  /** The bucket as the limit wants it; null if it is full. */
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

  /** The batch is in the store. Nothing goes back to any bucket, so that full ones can go. */
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

  /** This batch looks at so many more buckets, to forget the full ones. */
  public void lookAt(int count, long now) {
    nowMs = now;
    lookCount = Math.max(lookCount, count);
  }

  /** How many buckets are kept. */
  public int size() {
    return entries.size();
  }

  /** Claims that wait for the queue are to be looked at again at this time, if not before. */
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

  /** A token may be there before the time at which somebody waits for it. */
  private void wakeAtOnce(QueueName queue) {
    if (alarms.containsKey(queue)) {
      wakeAt(queue, AT_ONCE_MS);
    }
  }

  /** Whether claims that wait for the queue are to be looked at again at some time. */
  public boolean willWake(QueueName queue) {
    return alarms.containsKey(queue);
  }

  /** Of how many queues claims found no token, until the next one comes. */
  public int waitingQueueCount() {
    return alarms.size();
  }

  /** When claims that wait for some queue are to be looked at again; {@link #NEVER} if never. */
  public long nextWakeMs() {
    return byTime.isEmpty() ? NEVER : byTime.first().atMs;
  }

  /** Queues whose waiting claims are to be looked at now. */
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
   * The settings of the queue have changed: what is owed is owed by the new limits, and buckets of
   * limits that are no more are forgotten. Claims that wait for tokens are looked at again at once.
   */
  public void changed(QueueState queue, long now) {
    forgetShut(queue);
    changed(name -> name.equals(queue.name()) ? queue : null, now);
    wakeAtOnce(queue.name());
  }

  /** Looks at each bucket once, and finds its queue by name if that may have changed. */
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

  /** What was put aside by a former limit: tokens may come earlier, also if it is set again. */
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

  /** As the other, of many queues, with one look at each bucket. */
  public void changed(Map<QueueName, QueueState> loaded, long now) {
    loaded.values().forEach(RateTable::forgetShut);
    changed(name -> loaded.get(name), now);
  }

  /** The settings of queues of this name may have changed, of those not in memory as well. */
  public void mayHaveChanged(String queueName) {
    for (QueueName queue : List.copyOf(alarms.keySet())) {
      if (queue.name().equals(queueName)) {
        wakeAt(queue, AT_ONCE_MS);
      }
    }
  }

  /** Somebody else has had the store, and started jobs of all queues: all are full. */
  public void clear() {
    entries.clear();
    ring.clear();
    List.copyOf(alarms.keySet()).forEach(queue -> wakeAt(queue, AT_ONCE_MS));
  }
}
