package io.millrace.model.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CompleteResult;
import io.millrace.api.CorruptDataException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls as large as they may be, alone and many in one group: what fits is carried out, in several
 * batches if need be, and what fits into none is refused and changes nothing.
 */
@Timeout(120)
@Tag("thorough")
class LargeCallsTest {

  /** Three bytes each in UTF-8: the largest header there is. */
  private static final Map<String, String> LARGEST_HEADERS = Map.of("h1", "€".repeat(2_730));

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "LMDB", "ROCKSDB"})
  void failAll_withTheLongestErrors_isRefusedAloneAndGoesThroughInParts(StoreKind kind) {
    int count = Limits.CALL_JOB_COUNT_MAX;
    try (LimitedEngine limited = new LimitedEngine(kind, folder.resolve("store"))) {
      limited.addReady(0, count);
      List<Lease> leases = limited.claim(0, count);
      FailOptions retry = FailOptions.RETRY.delay(LimitedEngine.DELAY);

      assertThatThrownBy(() -> limited.engine().failAll(leases, LimitedEngine.LONGEST_ERROR, retry))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("call is too large for one commit of this store")
          .hasMessageContaining("most=67108864")
          .hasMessageContaining("nothing happened, give fewer or smaller jobs in a call");
      limited.assertUnharmed();
      assertThat(limited.count(0, JobState.LEASED)).isEqualTo(count);

      for (List<Lease> half : List.of(leases.subList(0, 5_000), leases.subList(5_000, count))) {
        assertThat(limited.engine().failAll(half, LimitedEngine.LONGEST_ERROR, retry))
            .allMatch(FailResult.Retried.class::isInstance);
      }
      assertThat(limited.count(0, JobState.DELAYED)).isEqualTo(count);
      limited.assertClean();
      limited.harness().crash();
      assertThat(limited.count(0, JobState.DELAYED)).isEqualTo(count);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "LMDB", "ROCKSDB"})
  void enqueueAll_headersAreMoreBytesThanCharacters_isRefusedByItsBytes(StoreKind kind) {
    try (LimitedEngine limited = new LimitedEngine(kind, folder.resolve("store"))) {
      List<NewJob> jobs = jobsOfHeadersOnly(Limits.CALL_JOB_COUNT_MAX);

      assertThatThrownBy(() -> limited.queue(0).enqueueAll(jobs))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(
              "length of all payloads and headers in bytes is out of range: value=81920000,"
                  + " least=0, most=33554432");

      limited.assertUnharmed();
      assertThat(limited.queue(0).stats()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "LMDB", "ROCKSDB"})
  void enqueueAll_manyCallsOfLargestHeadersInOneGroup_allAreCarriedOut(StoreKind kind)
      throws InterruptedException {
    int calls = 3;
    // A few less than a call may have: a group takes another call after one of these.
    int most = Limits.CALL_BYTES_MAX / Limits.HEADER_BYTES_MAX - 6;
    try (LimitedEngine limited = new LimitedEngine(kind, folder.resolve("store"))) {
      List<CompletableFuture<List<Enqueued>>> answers = new ArrayList<>();

      limited.together(
          () -> {
            for (int i = 0; i < calls; i++) {
              answers.add(limited.queue(i).enqueueAllAsync(jobsOfHeadersOnly(most)));
            }
          },
          calls);

      for (int i = 0; i < calls; i++) {
        assertThat(Await.join(answers.get(i))).hasSize(most);
        assertThat(limited.count(i, JobState.READY)).isEqualTo(most);
      }
      assertThat(limited.claim(0, 1).get(0).headers()).isEqualTo(LARGEST_HEADERS);
      limited.assertClean();
    }
  }

  private static List<NewJob> jobsOfHeadersOnly(int count) {
    EnqueueOptions options = EnqueueOptions.DEFAULT.headers(LARGEST_HEADERS);
    return Collections.nCopies(count, new NewJob(new byte[0], options));
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "LMDB", "ROCKSDB"})
  void update_headersOfManyLargestJobsInOneGroup_allAreChanged(StoreKind kind)
      throws InterruptedException {
    try (LimitedEngine limited = new LimitedEngine(kind, folder.resolve("store"))) {
      List<JobId> ids = addLargest(limited, 8);
      List<CompletableFuture<UpdateResult>> answers = new ArrayList<>();

      limited.together(() -> ids.forEach(id -> answers.add(changeHeaders(limited, id))), 8);

      answers.forEach(answer -> assertThat(Await.join(answer)).isEqualTo(UpdateResult.UPDATED));
      limited.assertUnharmed();
      limited.harness().crash();
      for (int i = 0; i < ids.size(); i++) {
        Lease lease = limited.claim(0, 1).get(0);
        assertThat(lease.jobId()).isEqualTo(ids.get(i));
        assertThat(lease.headers()).isEqualTo(LARGEST_HEADERS);
        assertThat(lease.payload()).hasSize(Limits.PAYLOAD_BYTES_MAX);
      }
    }
  }

  private static List<JobId> addLargest(LimitedEngine limited, int count) {
    List<JobId> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(limited.queue(0).enqueue(new byte[Limits.PAYLOAD_BYTES_MAX]).jobId());
    }
    return ids;
  }

  private static CompletableFuture<UpdateResult> changeHeaders(LimitedEngine limited, JobId id) {
    UpdateOptions change = UpdateOptions.NOTHING.headers(LARGEST_HEADERS);
    return limited.begin(() -> limited.engine().update(id, change));
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "LMDB", "ROCKSDB"})
  void corruptPayloads_manyLargestFoundInOneGroup_areSetAsideAndTheOthersGoOn(StoreKind kind)
      throws InterruptedException {
    int count = 6;
    try (LimitedEngine limited = new LimitedEngine(kind, folder.resolve("store"))) {
      List<JobId> ids = addLargest(limited, count);
      limited.engine().close();
      damageBlobs(limited);
      limited.harness().openAgain();
      JobId sound = limited.queue(0).enqueue(new byte[1]).jobId();
      List<CompletableFuture<UpdateResult>> answers = new ArrayList<>();

      limited.together(() -> ids.forEach(id -> answers.add(changeHeaders(limited, id))), count);

      answers.forEach(
          answer ->
              assertThatThrownBy(() -> Await.join(answer))
                  .isInstanceOf(CorruptDataException.class)
                  .hasMessageContaining("BLOB"));
      Await.until(
          "all are set aside",
          () -> {
            limited.assertUnharmed();
            return limited.engine().metrics().setAsideCount() >= 2 * count;
          });
      Lease rest = limited.claim(0, 1).get(0);
      assertThat(rest.jobId()).isEqualTo(sound);
      assertThat(rest.complete()).isEqualTo(CompleteResult.COMPLETED);
      assertThat(limited.count(0, JobState.READY)).isZero();
      assertThat(limited.engine().verify().problems()).isEmpty();
      limited.harness().restartCleanly();
      assertThat(limited.engine().verify().quarantinedCount()).isEqualTo(2 * count);
    }
  }

  /** Sets a bit of each payload's row, behind the engine's back. */
  private static void damageBlobs(LimitedEngine limited) {
    try (OrderedStore store = limited.place().factory().open(limited.place().options())) {
      List<byte[]> keys = new ArrayList<>();
      try (ReadView view = store.read()) {
        view.scan(Keyspace.BLOB.start(), Keyspace.BLOB.end(), 1_000, (key, value) -> keys.add(key));
      }
      for (byte[] key : keys) {
        byte[] value;
        try (ReadView view = store.read()) {
          value = view.get(key).clone();
        }
        value[value.length / 2] ^= 1;
        WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
        batch.put(key, value);
        store.write(batch);
      }
    }
  }
}
