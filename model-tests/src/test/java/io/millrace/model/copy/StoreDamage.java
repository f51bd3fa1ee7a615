package io.millrace.model.copy;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.engine.StorePlace;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.InboxKeys;
import io.millrace.internal.format.InboxPayloadKeys;
import io.millrace.internal.format.InboxRecord;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.TableKeys;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.spi.testkit.FaultyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Changes rows of a closed store on a simulated disk behind the engine's back, by a seed. */
final class StoreDamage {

  private static final List<Keyspace> DERIVED =
      List.of(
          Keyspace.COUNTERS,
          Keyspace.AGENDA,
          Keyspace.MOVED,
          Keyspace.SLOT,
          Keyspace.TIMER,
          Keyspace.UNIQUE);

  private static final List<Keyspace> TWICE =
      List.of(Keyspace.READY, Keyspace.DELAYED, Keyspace.BLOCKED, Keyspace.WAITING, Keyspace.DEAD);

  private final FaultyStore machine;
  private final StorePlace place;
  private final SplittableRandom random;
  private final List<byte[]> damaged = new ArrayList<>();

  StoreDamage(FaultyStore machine, StorePlace place, long seed) {
    this.machine = machine;
    this.place = place;
    this.random = new SplittableRandom(seed);
  }

  /** Does one more piece of damage, if there is a row for it. */
  void doOne() {
    switch (random.nextInt(5)) {
      case 0 -> pick(DERIVED).ifPresent(key -> overwrite(key, null));
      case 1 -> pick(List.of(Keyspace.values())).ifPresent(key -> overwrite(key, null));
      case 2 -> pick(List.of(Keyspace.values())).ifPresent(this::flip);
      case 3 -> pick(DERIVED).ifPresent(this::flip);
      default -> pick(TWICE).ifPresent(this::twice);
    }
  }

  /** The keys of the rows that were changed or removed, or that are too many. */
  List<byte[]> damaged() {
    return damaged;
  }

  /** Payloads of the jobs whose record and payload are whole, by their ids. */
  static Map<JobId, byte[]> intactJobs(StorePlace place) {
    Map<byte[], byte[]> rows = StoreCopyTest.rows(place);
    Map<JobId, byte[]> intact = new HashMap<>();
    rows.forEach(
        (key, value) -> {
          if (Keyspace.ofKey(key).isOfJobs()) {
            payload(rows, key, value)
                .ifPresent(
                    payload ->
                        intact.put(
                            JobRecord.decode(key, value).jobId(Bytes.getInt(key, 1)), payload));
          }
        });
    return intact;
  }

  /** The jobs that wait for a batch, and are cancelled if they wait in vain. */
  static Set<JobId> followers(StorePlace place) {
    Set<JobId> followers = new HashSet<>();
    StoreCopyTest.rows(place)
        .forEach(
            (key, value) -> {
              if (RowCheck.flaw(key, value) == null
                  && Keyspace.ofKey(key) == Keyspace.WAITING
                  && TallyKeys.isSignal(WaitingKeys.signal(key))) {
                followers.add(JobRecord.decode(key, value).jobId(Bytes.getInt(key, 1)));
              }
            });
    return followers;
  }

  /** Rows of users' tables, and signals that are kept for intact jobs, as far as they are whole. */
  static Map<byte[], byte[]> intactRows(StorePlace place, Set<JobId> intactJobs) {
    Map<byte[], byte[]> rows = StoreCopyTest.rows(place);
    Map<byte[], byte[]> intact = new TreeMap<>(Arrays::compareUnsigned);
    rows.forEach(
        (key, value) -> {
          if (RowCheck.flaw(key, value) == null && isOfUser(key)) {
            intact.put(key, value);
          } else if (RowCheck.flaw(key, value) == null && isOf(intactJobs, key)) {
            putWhole(rows, intact, key, InboxRecord.decode(key, value));
          }
        });
    return intact;
  }

  /** Those signals whose payloads are whole, and these payloads. */
  private static void putWhole(
      Map<byte[], byte[]> rows, Map<byte[], byte[]> intact, byte[] key, InboxRecord inbox) {
    InboxRecord whole = inbox;
    for (InboxRecord.Kept signal : inbox.signals()) {
      if (signal.hasRow()) {
        byte[] payloadKey = InboxPayloadKeys.key(key, signal.slot());
        byte[] payload = rows.get(payloadKey);
        if (payload == null || RowCheck.flaw(payloadKey, payload) != null) {
          whole = whole.without(signal);
        } else {
          intact.put(payloadKey, payload);
        }
      }
    }
    if (!whole.signals().isEmpty()) {
      intact.put(key, whole.encode(key));
    }
  }

  private static boolean isOfUser(byte[] key) {
    return Keyspace.ofKey(key) == Keyspace.TABLE && !TableKeys.isOwn(key);
  }

  /** Whether the row names the signals that are kept for one of the jobs. */
  private static boolean isOf(Set<JobId> jobs, byte[] key) {
    return Keyspace.ofKey(key) == Keyspace.SIGNAL
        && InboxKeys.isOne(key)
        && jobs.stream()
            .map(id -> JobAddress.of(id).orElseThrow())
            .anyMatch(
                job -> job.queue() == InboxKeys.queue(key) && job.birth() == InboxKeys.birth(key));
  }

  private static Optional<byte[]> payload(Map<byte[], byte[]> rows, byte[] key, byte[] value) {
    try {
      JobRecord job = JobRecord.decode(key, value);
      if (job.payload() instanceof Payload.Inline inline) {
        return Optional.of(inline.payload());
      }
      Payload.InBlob blob = (Payload.InBlob) job.payload();
      byte[] blobKey = BlobKeys.key(Bytes.getInt(key, 1), job.birth(), blob.version());
      byte[] stored = rows.get(blobKey);
      return stored == null
          ? Optional.empty()
          : Optional.of(BlobRecord.decode(blobKey, stored).payload());
    } catch (CorruptDataException e) {
      return Optional.empty();
    }
  }

  private Optional<byte[]> pick(List<Keyspace> keyspaces) {
    Keyspace keyspace = keyspaces.get(random.nextInt(keyspaces.size()));
    List<byte[]> keys = new ArrayList<>();
    for (byte[] key : StoreCopyTest.rows(place).keySet()) {
      if (Keyspace.ofKey(key) == keyspace) {
        keys.add(key);
      }
    }
    return keys.isEmpty() ? Optional.empty() : Optional.of(keys.get(random.nextInt(keys.size())));
  }

  private void overwrite(byte[] key, byte @Nullable [] value) {
    damaged.add(key);
    machine.overwrite(place.options().folder(), key, value);
  }

  private void flip(byte[] key) {
    int length = StoreCopyTest.rows(place).get(key).length;
    if (length > 0) {
      damaged.add(key);
      machine.flipBit(place.options().folder(), key, random.nextInt(8 * length));
    }
  }

  /** Puts the job's record into another state as well. */
  private void twice(byte[] key) {
    JobRecord job;
    try {
      job = JobRecord.decode(key, StoreCopyTest.rows(place).get(key));
    } catch (CorruptDataException e) {
      return;
    }
    int queue = Bytes.getInt(key, 1);
    byte[] second =
        switch (random.nextInt(3)) {
          case 0 -> DelayedKeys.key(queue, random.nextLong(1L << 41), job.birth());
          case 1 -> DeadKeys.key(queue, random.nextLong(1L << 41), job.birth());
          default -> ReadyKeys.key(queue, job.priority(), random.nextLong(1L << 50));
        };
    overwrite(second, job.encode(second));
  }
}
