package io.millrace.internal.read;

import static io.millrace.internal.read.StoredRows.FIRST;
import static io.millrace.internal.read.StoredRows.MAIL;
import static io.millrace.internal.read.StoredRows.QUEUE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.CorruptDataException;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.NameSettings;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.ViewEndedException;
import io.millrace.spi.testkit.ForwardingStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StoreReaderTest {

  private static final long NOW_MS = 10_000_000;

  private final StoredRows rows = new StoredRows();
  private final List<String> corrupt = new ArrayList<>();
  private final AtomicInteger closeCount = new AtomicInteger();
  private final StoreReader reader =
      new StoreReader(
          rows::store,
          () -> NOW_MS,
          key -> corrupt.add(Bytes.hex(key)),
          closeCount::incrementAndGet);

  @AfterEach
  void close() {
    rows.close();
  }

  @Test
  void queues_ofSeveralPages_areEachGivenOnce() {
    QueueName tenant = new QueueName("mail", "acme");
    QueueName longer = QueueName.of("newsletter");
    rows.putQueue(longer, QueueRecord.selfMade(8, 1));
    rows.putQueue(tenant, QueueRecord.selfMade(9, 1));

    Page<QueueName> first = reader.queues(PageRequest.first(2));
    Page<QueueName> second = reader.queues(PageRequest.after(first.next().orElseThrow(), 2));
    Page<QueueName> third = reader.queues(PageRequest.after(second.next().orElseThrow(), 2));

    assertThat(first.items()).containsExactly(MAIL, tenant);
    assertThat(second.items()).containsExactly(longer);
    assertThat(third).isEqualTo(new Page<>(List.of(), Optional.empty()));
  }

  @Test
  void queues_cursorOfJobs_isRefused() {
    String cursor = Cursors.after(ReadyKeys.key(QUEUE, 0, FIRST));

    assertThatThrownBy(() -> reader.queues(PageRequest.after(cursor, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cursor is not of a page of this question: value=\"" + cursor + "\"");
  }

  @Test
  void stats_queueWithJobs_areItsCounters() {
    rows.ready(0, FIRST + 1);
    rows.leased(0, FIRST + 2, FIRST + 3);
    rows.delayed(5_000, FIRST + 4);
    rows.total(QueueStats.Total.ENQUEUED, 3);

    QueueStats stats = reader.stats(MAIL).orElseThrow();

    assertThat(stats.queue()).isEqualTo(MAIL);
    assertThat(stats.counts()).hasSize(JobState.values().length);
    assertThat(stats.count(JobState.READY)).isEqualTo(1);
    assertThat(stats.count(JobState.LEASED)).isEqualTo(1);
    assertThat(stats.count(JobState.DELAYED)).isEqualTo(1);
    assertThat(stats.count(JobState.DEAD)).isZero();
    assertThat(stats.totals()).hasSize(QueueStats.Total.values().length);
    assertThat(stats.total(QueueStats.Total.ENQUEUED)).isEqualTo(3);
    assertThat(stats.serving()).isEqualTo(QueueStats.Serving.ON);
  }

  @Test
  void stats_queueWithoutCountersRow_areZero() {
    QueueStats stats = reader.stats(MAIL).orElseThrow();

    assertThat(stats.counts().values()).containsOnly(0L);
    assertThat(stats.oldestReadyAge()).isEmpty();
  }

  @Test
  void stats_pausedQueue_saysSo() {
    rows.putQueue(MAIL, QueueRecord.selfMade(QUEUE, 1).withPaused(true));

    assertThat(reader.stats(MAIL).orElseThrow().serving()).isEqualTo(QueueStats.Serving.PAUSED);
  }

  @Test
  void stats_ofAllQueues_areThoseOfEachAndLeaveOutDamagedOnes() {
    QueueName tenant = new QueueName("mail", "acme");
    QueueName longer = QueueName.of("newsletter");
    rows.ready(0, FIRST + 1);
    rows.total(QueueStats.Total.ENQUEUED, 1);
    rows.putQueue(tenant, QueueRecord.selfMade(9, 1));
    rows.putQueue(longer, QueueRecord.selfMade(8, 1).withPaused(true));
    rows.damage(QueueKeys.key(tenant));

    Page<QueueStats> first = reader.stats(PageRequest.first(2));
    Page<QueueStats> second = reader.stats(PageRequest.after(first.next().orElseThrow(), 2));

    assertThat(first.items()).containsExactly(reader.stats(MAIL).orElseThrow());
    assertThat(second.items()).containsExactly(reader.stats(longer).orElseThrow());
    assertThat(reader.stats(PageRequest.after(second.next().orElseThrow(), 2)).items()).isEmpty();
    assertThatThrownBy(() -> reader.stats(tenant)).isInstanceOf(CorruptDataException.class);
  }

  @Test
  void settings_ofAQueue_areThoseStored() {
    QueueSettings settings = QueueSettings.DEFAULT.depthMax(5);
    rows.putQueue(MAIL, QueueRecord.selfMade(QUEUE, 1).withSettings(settings));

    assertThat(reader.settings(MAIL)).isEqualTo(settings);
  }

  @Test
  void statsAndSettings_unknownQueue_areNoneAndTheDefaults() {
    assertThat(reader.stats(QueueName.of("unknown"))).isEmpty();
    assertThat(reader.settings(QueueName.of("unknown"))).isEqualTo(QueueSettings.DEFAULT);
  }

  @Test
  void oldestReadyAge_headsOfSeveralPriorities_isTheLongestWait() {
    rows.ready(StoredRows.job(FIRST + 1).priority(5).readyAtMs(NOW_MS - 10).build());
    rows.ready(StoredRows.job(FIRST + 2).priority(0).readyAtMs(NOW_MS - 70).build());
    rows.ready(StoredRows.job(FIRST + 3).priority(0).readyAtMs(NOW_MS - 90).build());

    assertThat(age()).contains(Duration.ofMillis(70));
  }

  @Test
  void oldestReadyAge_headIsLeased_isOfTheFirstUnleasedJob() {
    for (int i = 0; i < 20; i++) {
      rows.leased(0, FIRST + i, FIRST + 100 + i);
    }
    rows.ready(StoredRows.job(FIRST + 30).readyAtMs(NOW_MS - 70).build());
    long[] states = rows.counters().states();
    CountersRecord.ReadyRow low = new CountersRecord.ReadyRow(0, 1, FIRST);
    rows.putCounters(
        new CountersRecord(
            states,
            rows.counters().totals(),
            new CountersRecord.ReadyRow[] {low},
            CountersRecord.NONE,
            CountersRecord.NONE,
            0,
            0));

    assertThat(age()).contains(Duration.ofMillis(70));
  }

  @Test
  void oldestReadyAge_clockBehindTheJob_isZero() {
    rows.ready(StoredRows.job(FIRST).readyAtMs(NOW_MS + 5).build());

    assertThat(age()).contains(Duration.ZERO);
  }

  @Test
  void get_readyJobWhereItWasBorn_isAllOfIt() {
    Backoff backoff = Backoff.DEFAULT;
    JobId id =
        rows.ready(
            StoredRows.job(FIRST)
                .priority(-3)
                .weight(4)
                .set(JobField.ATTEMPTS, 1)
                .maxAttempts(9)
                .backoff(backoff)
                .enqueuedAtMs(77)
                .set(JobField.LAST_ERROR, "broken")
                .build());

    Job job = reader.get(id).orElseThrow();

    assertThat(job.id()).isEqualTo(id);
    assertThat(job.queue()).isEqualTo(MAIL);
    assertThat(job.state()).isEqualTo(JobState.READY);
    assertThat(job.priority()).isEqualTo(-3);
    assertThat(job.weight()).isEqualTo(4);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.maxAttempts()).isEqualTo(9);
    assertThat(job.backoff()).isEqualTo(backoff);
    assertThat(new String(job.payload(), UTF_8)).isEqualTo("payload " + FIRST);
    assertThat(job.headers()).isEmpty();
    assertThat(job.enqueuedAt()).isEqualTo(Instant.ofEpochMilli(77));
    assertThat(job.lastError()).contains("broken");
    assertThat(job.visibleAt()).isEmpty();
    assertThat(job.diedAt()).isEmpty();
    assertThat(job.lease()).isEmpty();
  }

  @Test
  void get_leasedJob_showsTheLeaseAndItsAttempt() {
    JobId id = rows.leased(2, FIRST, FIRST + 50);

    Job job = reader.get(id).orElseThrow();

    assertThat(job.state()).isEqualTo(JobState.LEASED);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(job.lease())
        .contains(new Job.Running(FIRST + 50, "worker", Instant.ofEpochMilli(5_000)));
  }

  @Test
  void get_jobThatMoved_isFoundInEachState() {
    assertThat(stateOf(rows.readyAgain(1, FIRST, FIRST + 10))).isEqualTo(JobState.READY);
    assertThat(stateOf(rows.delayed(5_000, FIRST + 1))).isEqualTo(JobState.DELAYED);
    assertThat(stateOf(rows.blocked("key", FIRST + 2))).isEqualTo(JobState.BLOCKED);
    assertThat(stateOf(rows.waiting("signal", FIRST + 3))).isEqualTo(JobState.WAITING);
    assertThat(stateOf(rows.dead(6_000, FIRST + 4, "x"))).isEqualTo(JobState.DEAD);
    assertThat(stateOf(rows.done(7_000, FIRST + 5))).isEqualTo(JobState.DONE);
  }

  @Test
  void get_delayedOrDeadJob_hasItsTime() {
    JobId delayed = rows.delayed(5_000, FIRST);
    JobId dead = rows.dead(6_000, FIRST + 1, "x");

    assertThat(reader.get(delayed).orElseThrow().visibleAt()).contains(Instant.ofEpochMilli(5_000));
    assertThat(reader.get(dead).orElseThrow().diedAt()).contains(Instant.ofEpochMilli(6_000));
  }

  @Test
  void get_payloadInBlob_isReadFromThere() {
    byte[] payload = new byte[100_000];
    Arrays.fill(payload, (byte) 9);
    JobId id = rows.readyWithBlob(FIRST, payload);

    Job job = reader.get(id).orElseThrow();

    assertThat(job.payload()).isEqualTo(payload);
    assertThat(job.headers()).isEqualTo(Map.of("kind", "large"));
  }

  @Test
  void get_payloadIsMissing_isCorruptAndTheRowIsReported() {
    JobId id = rows.readyWithBlob(FIRST, new byte[2_000]);
    byte[] blobKey = BlobKeys.key(QUEUE, FIRST, 1);
    rows.delete(blobKey);

    assertThatThrownBy(() -> reader.get(id))
        .isInstanceOf(CorruptDataException.class)
        .hasMessage("stored payload is missing: keyspace=BLOB, key=" + Bytes.hex(blobKey));
    assertThat(corrupt).containsExactly(Bytes.hex(blobKey));
  }

  @Test
  void get_noSuchJob_isEmpty() {
    JobId id = rows.ready(0, FIRST);
    JobId ofOtherPriority = StoredRows.job(FIRST).priority(1).build().jobId(QUEUE);
    JobId ofOtherQueue = StoredRows.job(FIRST).build().jobId(QUEUE + 1);

    assertThat(reader.get(new JobId(-1, -1))).isEmpty();
    assertThat(reader.get(ofOtherPriority)).isEmpty();
    assertThat(reader.get(ofOtherQueue)).isEmpty();
    rows.delete(ReadyKeys.key(QUEUE, 0, FIRST));
    assertThat(reader.get(id)).isEmpty();
  }

  @Test
  void get_idWithAnotherBirthKind_isEmptyThoughTheJobMoved() {
    rows.delayed(5_000, FIRST);
    JobId madeUp = StoredRows.job(FIRST).birthKind(Keyspace.BLOCKED).build().jobId(QUEUE);

    assertThat(reader.get(madeUp)).isEmpty();
  }

  @Test
  void get_movedRowLeadsNowhere_isEmpty() {
    JobId gone = rows.dead(5_000, FIRST, "x");
    rows.delete(DeadKeys.key(QUEUE, 5_000, FIRST));
    JobId toNoJob = rows.dead(5_000, FIRST + 1, "x");
    rows.putMoved(FIRST + 1, LeaseKeys.key(QUEUE, FIRST));
    JobId toNoKey = rows.dead(5_000, FIRST + 2, "x");
    rows.putMoved(FIRST + 2, new byte[] {(byte) 0xff, 1, 2, 3, 4, 5});
    JobId toOtherJob = rows.dead(5_000, FIRST + 3, "x");
    rows.putMoved(FIRST + 3, DeadKeys.key(QUEUE, 5_000, FIRST + 2));

    assertThat(reader.get(gone)).isEmpty();
    assertThat(reader.get(toNoJob)).isEmpty();
    assertThat(reader.get(toNoKey)).isEmpty();
    assertThat(reader.get(toOtherJob)).isEmpty();
  }

  @Test
  void get_queueWasDropped_isEmpty() {
    JobId id = rows.ready(0, FIRST);
    rows.putName(QUEUE, MAIL, QueueNameRecord.State.DROPPED);

    assertThat(reader.get(id)).isEmpty();
  }

  @Test
  void get_corruptRecord_isToldToTheCallerAndToWhoSetsItAside() {
    JobId id = rows.ready(0, FIRST);
    byte[] key = ReadyKeys.key(QUEUE, 0, FIRST);
    rows.damage(key);

    assertThatThrownBy(() -> reader.get(id))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("keyspace=READY")
        .hasMessageContaining("key=" + Bytes.hex(key));
    assertThat(corrupt).containsExactly(Bytes.hex(key));
  }

  @Test
  void settings_ofATextThatIsNoName_areRefusedWithTheLimit() {
    assertThatThrownBy(() -> reader.settings(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "queueName has a length out of range: value=\"\", UTF-8 bytes=0, least=1, most=200");
  }

  @Test
  void settings_ownRowOrThatOfTheNameIsDamaged_isToldToTheCallerAndToWhoSetsItAside() {
    byte[] own = QueueKeys.key(MAIL);
    byte[] ofName = NameSettings.key(MAIL.name());
    rows.put(ofName, NameSettings.encode(ofName, QueueSettings.DEFAULT.depthMax(7)));
    rows.damage(ofName);

    assertThatThrownBy(() -> reader.settings(MAIL))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("key=" + Bytes.hex(ofName));
    rows.damage(own);
    assertThatThrownBy(() -> reader.settings(MAIL))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("key=" + Bytes.hex(own));

    assertThat(corrupt).containsExactly(Bytes.hex(ofName), Bytes.hex(own));
  }

  @Test
  void get_settingsAreDamaged_jobIsShownAndTheRowsAreReported() {
    JobId id = rows.ready(0, FIRST);
    byte[] own = QueueKeys.key(MAIL);
    byte[] ofName = NameSettings.key(MAIL.name());
    rows.put(ofName, NameSettings.encode(ofName, QueueSettings.DEFAULT.depthMax(7)));
    rows.damage(ofName);
    rows.damage(own);

    assertThat(reader.get(id)).map(Job::id).contains(id);

    assertThat(corrupt).containsExactly(Bytes.hex(own), Bytes.hex(ofName));
  }

  @Test
  void get_storeWasReplacedMeanwhile_asksTheNewOne() {
    try (StoredRows other = new StoredRows()) {
      JobId id = other.ready(0, FIRST);
      rows.close();
      Iterator<OrderedStore> stores = List.of(rows.store(), other.store()).iterator();
      StoreReader reopened = new StoreReader(stores::next, () -> NOW_MS, key -> {}, () -> {});

      assertThat(reopened.get(id)).isPresent();
    }
  }

  @Test
  void get_viewEndsMeanwhile_opensAnother() {
    JobId id = rows.ready(0, FIRST);
    AtomicInteger viewCount = new AtomicInteger();
    OrderedStore renewed =
        new ForwardingStore(rows.store()) {
          @Override
          public ReadView read() {
            if (viewCount.incrementAndGet() == 1) {
              throw new ViewEndedException("view has ended");
            }
            return super.read();
          }
        };
    StoreReader asking = new StoreReader(() -> renewed, () -> NOW_MS, key -> {}, () -> {});

    assertThat(asking.get(id)).isPresent();
    assertThat(viewCount).hasValue(2);
  }

  @Test
  void get_storeIsClosed_saysSo() {
    JobId id = rows.ready(0, FIRST);
    rows.close();

    assertThatThrownBy(() -> reader.get(id)).isInstanceOf(StoreClosedException.class);
  }

  @Test
  void close_always_doesWhatItWasGiven() {
    reader.close();

    assertThat(closeCount).hasValue(1);
  }

  private JobState stateOf(JobId id) {
    Job job = reader.get(id).orElseThrow();
    assertThat(job.id()).isEqualTo(id);
    return job.state();
  }

  private Optional<Duration> age() {
    return reader.stats(MAIL).orElseThrow().oldestReadyAge();
  }
}
