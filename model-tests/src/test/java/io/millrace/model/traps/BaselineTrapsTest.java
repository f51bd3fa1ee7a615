package io.millrace.model.traps;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.CancelResult;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueStats;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Keys, bytes and work return to where they were, however many jobs have passed through. */
class BaselineTrapsTest extends TrapTest {

  private static final Setup BUFFERED = Setup.DEFAULT.withDurability(Durability.BUFFERED);

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void lifecycle_everyWayThatEnds_leavesNoKeyBehind(StoreKind kind) {
    EngineHarness harness = start(kind, BUFFERED);
    JobQueue mail = mail(harness);
    cycle(harness, mail, 0);
    long rowCount = harness.store().rowCount();
    for (int i = 1; i <= 150; i++) {
      cycle(harness, mail, i);
    }

    assertThat(harness.store().rowCount()).isEqualTo(rowCount);
    assertThat(mail.stats().orElseThrow().counts().values()).containsOnly(0L);
    assertThat(mail.stats().orElseThrow().counts().keySet()).containsExactly(JobState.values());
    assertThat(mail.stats().orElseThrow().totals().keySet())
        .containsExactly(QueueStats.Total.values());
    assertClean(harness);
  }

  /** One job for each way to end, with a payload that is stored apart every other time. */
  private static void cycle(EngineHarness harness, JobQueue mail, int round) {
    byte[] payload = new byte[round % 2 == 0 ? 20 : 3_000];
    EnqueueOptions options =
        EnqueueOptions.DEFAULT.maxAttempts(2).backoff(Backoff.fixed(Duration.ZERO));
    mail.enqueue(payload, options);
    claim(mail).complete().orThrow();

    mail.enqueue(payload, options.delay(ofSeconds(1)));
    advance(harness, ofSeconds(1));
    Lease retried = claim(mail);
    retried.checkpoint(new byte[5_000]).orThrow();
    retried.fail("broken").orThrow();
    claim(mail).complete().orThrow();

    mail.enqueue(payload, options);
    claim(mail).snooze(ofSeconds(1)).orThrow();
    advance(harness, ofSeconds(1));
    claim(mail).release().orThrow();
    claim(mail).complete().orThrow();

    JobId dead = mail.enqueue(payload, options).jobId();
    claim(mail).fail("broken", FailOptions.PERMANENT).orThrow();
    mail.deadLetters().redrive(dead).orThrow();
    claim(mail).fail("broken", FailOptions.PERMANENT).orThrow();
    assertThat(mail.deadLetters().delete(dead)).isTrue();

    JobId expired = mail.enqueue(payload, options.maxAttempts(1)).jobId();
    claim(mail);
    advance(harness, LEASE_OVER);
    awaitJob(harness, expired, JobState.DEAD, 1);
    assertThat(harness.queues().cancelIfWaiting(expired)).isEqualTo(CancelResult.CANCELLED);

    assertThat(
            harness
                .queues()
                .cancelIfWaiting(mail.enqueue(payload, options.delay(ofSeconds(9))).jobId()))
        .isEqualTo(CancelResult.CANCELLED);
  }

  @Test
  void lmdb_manyThousandCycles_fileStopsGrowing() throws IOException {
    EngineHarness harness = start(StoreKind.LMDB, BUFFERED);
    JobQueue mail = mail(harness);
    batches(mail, 20);
    long bytes = storedBytes();

    batches(mail, 60);

    assertThat(storedBytes()).isLessThanOrEqualTo(2 * bytes);
  }

  private static void batches(JobQueue mail, int count) {
    for (int i = 0; i < count; i++) {
      List<NewJob> jobs = new ArrayList<>();
      for (int j = 0; j < 250; j++) {
        jobs.add(NewJob.of(new byte[j % 10 == 0 ? 2_000 : 200]));
      }
      mail.enqueueAll(jobs);
      List<Lease> leases = claim(mail, 250);
      assertThat(leases).hasSize(250);
      leases.forEach(lease -> Dropped.result(lease.completeAsync()));
      assertThat(claim(mail, 1)).isEmpty();
    }
  }

  private long storedBytes() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
      return bytes;
    }
  }

  @Test
  void claim_afterManyJobsPassedThrough_readsNoMoreThanBefore() {
    EngineHarness harness = start(StoreKind.MEMORY, BUFFERED);
    JobQueue mail = mail(harness);
    batches(mail, 40);
    long before = harness.store().rowsVisited();
    for (int i = 0; i < 100; i++) {
      enqueue(mail, "a");
      claim(mail).complete().orThrow();
    }

    assertThat(harness.store().rowsVisited() - before).isLessThan(1_000);
  }

  @Test
  void claim_longBacklog_readsInProportionToWhatIsServed() {
    EngineHarness harness = start(StoreKind.MEMORY, BUFFERED);
    JobQueue mail = mail(harness);
    for (int i = 0; i < 40; i++) {
      List<NewJob> jobs = new ArrayList<>();
      for (int j = 0; j < 500; j++) {
        jobs.add(NewJob.of(new byte[500]));
      }
      mail.enqueueAll(jobs);
    }
    long before = harness.store().rowsVisited();
    for (int i = 0; i < 2_000; i++) {
      claim(mail).complete().orThrow();
    }

    assertThat(harness.store().rowsVisited() - before).isLessThan(3 * 2_000);
  }

  @Test
  void queue_emptySelfMade_isRemovedAfterItsTime() {
    EngineHarness harness =
        start(
            StoreKind.MEMORY,
            clock ->
                Setup.DEFAULT
                    .options(clock)
                    .emptyQueueKept(Duration.ofHours(24))
                    .queueIdle(ofSeconds(60)));
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    JobQueue configured = harness.queues().queue("configured");
    configured.configure(settings -> settings);
    claim(mail).complete().orThrow();

    for (int hour = 0; hour < 26; hour++) {
      advance(harness, Duration.ofHours(1));
    }

    await("the queue is removed", () -> mail.stats().isEmpty());
    assertThat(configured.stats()).isPresent();
    assertThat(payload(claimAfterEnqueue(mail))).isEqualTo("again");
    assertClean(harness);
  }

  private static Lease claimAfterEnqueue(JobQueue queue) {
    enqueue(queue, "again");
    return claim(queue);
  }
}
