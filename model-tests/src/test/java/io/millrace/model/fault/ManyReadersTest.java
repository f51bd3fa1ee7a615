package io.millrace.model.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreBusyException;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** More readers at a time than the store has views. */
@Timeout(120)
@Tag("thorough")
class ManyReadersTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final int READER_COUNT = 1_500;
  private static final int VIEW_COUNT_MAX = 512;
  private static final long STACK_BYTES = 256 << 10;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void readers_farMoreThanViews_waitAndTheEngineWorksOn(StoreKind kind) throws Exception {
    HeldReaders readers = new HeldReaders(kind.newFactory());
    try (JobEngine engine = open(readers, Duration.ofMinutes(1))) {
      engine.queue(MAIL).enqueue("seen".getBytes(UTF_8));

      List<CompletableFuture<Integer>> peeks = peeks(engine, READER_COUNT);
      Await.until("all views are taken", () -> readers.heldCount() >= VIEW_COUNT_MAX - 1);
      work(engine);
      readers.letGo();

      for (CompletableFuture<Integer> peek : peeks) {
        assertThat(peek.get(60, TimeUnit.SECONDS)).isEqualTo(1);
      }
      assertThat(engine.health().status()).isEqualTo(EngineHealth.Status.UP);
      assertThat(engine.metrics().oldestReaderAge()).isEmpty();
      assertThat(engine.verify().isClean()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void reader_noViewInTime_isToldBusyAndNothingElseHappens(StoreKind kind) throws Exception {
    HeldReaders readers = new HeldReaders(kind.newFactory());
    try (JobEngine engine = open(readers, Duration.ofMillis(20))) {
      JobQueue mail = engine.queue(MAIL);
      mail.enqueue("seen".getBytes(UTF_8));
      JobId large = mail.enqueue(new byte[1 << 20]).jobId();
      List<CompletableFuture<Integer>> peeks = peeks(engine, VIEW_COUNT_MAX - 1);
      Await.until("all views are taken", () -> readers.heldCount() >= VIEW_COUNT_MAX - 1);

      assertThatThrownBy(() -> engine.get(large))
          .isInstanceOf(StoreBusyException.class)
          .hasMessage(
              "too many reads are under way: limit=511, waitedMs=20; nothing happened, try again"
                  + " later");
      assertThatThrownBy(engine::verify).isInstanceOf(StoreBusyException.class);
      assertThatThrownBy(() -> engine.backup(folder.resolve("backup")))
          .isInstanceOf(StoreBusyException.class);
      // Its payload is read by the claimer, who has no view for that.
      assertThatThrownBy(() -> mail.claim(ClaimOptions.by("worker").max(2)))
          .isInstanceOf(StoreBusyException.class);
      work(engine);
      readers.letGo();

      for (CompletableFuture<Integer> peek : peeks) {
        assertThat(peek.get(60, TimeUnit.SECONDS)).isBetween(0, 2);
      }
      assertThat(mail.claim(ClaimOptions.by("worker").max(2).waiting(Duration.ofSeconds(60))))
          .extracting(Lease::attempt)
          .containsExactly(1, 1);
      assertThat(engine.get(large)).isPresent();
      assertThat(folder.resolve("backup")).doesNotExist();
      assertThat(engine.health().status()).isEqualTo(EngineHealth.Status.UP);
    }
  }

  /** What makes the loop read: queues that it does not know, jobs that come due. */
  private static void work(JobEngine engine) {
    for (int i = 0; i < 20; i++) {
      JobQueue queue = engine.queue("other" + i);
      queue.enqueue(new byte[1], EnqueueOptions.DEFAULT.delay(Duration.ofMillis(i)));
      queue.enqueue(new byte[1]);
      ClaimOptions one = ClaimOptions.by("worker").waiting(Duration.ofSeconds(60));
      for (int job = 0; job < 2; job++) {
        Lease lease = queue.claim(one).get(0);
        assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
      }
      assertThat(engine.cancelIfWaiting(queue.enqueue(new byte[1]).jobId()))
          .isEqualTo(CancelResult.CANCELLED);
    }
    assertThat(engine.health().status()).isEqualTo(EngineHealth.Status.UP);
    assertThat(engine.poison()).isEmpty();
  }

  /** How many jobs each of the readers sees. */
  private static List<CompletableFuture<Integer>> peeks(JobEngine engine, int count) {
    List<CompletableFuture<Integer>> peeks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      CompletableFuture<Integer> peek = new CompletableFuture<>();
      Runnable reader =
          () -> {
            try {
              peek.complete(
                  engine.peek(MAIL, JobState.READY, PageRequest.first(10)).items().size());
            } catch (Throwable e) {
              peek.completeExceptionally(e);
            }
          };
      Thread thread = new Thread(null, reader, "reader-" + i, STACK_BYTES);
      thread.setDaemon(true);
      thread.start();
      peeks.add(peek);
    }
    return peeks;
  }

  private JobEngine open(HeldReaders readers, Duration overloadWait) {
    return JobEngine.open(
        readers,
        StoreOptions.of(folder.resolve("store")),
        EngineOptions.DEFAULT.overloadWait(overloadWait));
  }
}
