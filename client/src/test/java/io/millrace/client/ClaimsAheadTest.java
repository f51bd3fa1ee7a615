package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineClosedException;
import io.millrace.api.Job;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.protocol.LeaseCalls;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs that a client claims before they are asked for, from a server. */
@Timeout(60)
class ClaimsAheadTest {

  private static final ClaimOptions ONE = ClaimOptions.by("w");

  private final Served served = new Served();
  private final JobQueue queue = served.engine().queue("mail");
  private final TestQueues ahead = new TestQueues(Caller.of(served.calls(), System::nanoTime, 100));

  @AfterEach
  void close() {
    served.close();
  }

  private void enqueue(int count) {
    queue.enqueueAll(Collections.nCopies(count, NewJob.of(new byte[] {1})));
  }

  private long count(JobState state) {
    return queue.stats().orElseThrow().count(state);
  }

  private void awaitCount(JobState state, long expected) {
    while (count(state) != expected) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private long claimCallCount() {
    return served.calls().all().stream().filter(LeaseCalls.Claim.class::isInstance).count();
  }

  private static List<Lease> claimAll(JobQueues queues, int count) {
    JobQueue queue = queues.queue("mail");
    return IntStream.range(0, count).mapToObj(i -> queue.claim(ONE).get(0)).toList();
  }

  @Test
  void equalClaims_areServedByFewerCalls_andGetEachJobOnce() {
    enqueue(1_000);

    List<Lease> leases = claimAll(ahead, 1_000);

    assertThat(leases).extracting(Lease::jobId).doesNotHaveDuplicates();
    assertThat(leases).allMatch(lease -> lease.attempt() == 1);
    assertThat(claimCallCount()).isLessThan(900);
    assertThat(ahead.queue("mail").claim(ONE)).isEmpty();
    assertThat(leases).allMatch(lease -> lease.complete().isDone());
    awaitCount(JobState.LEASED, 0);
  }

  @Test
  void manyThreads_getEachJobOnce() {
    enqueue(4_000);
    Map<Object, Integer> seen = new ConcurrentHashMap<>();
    AtomicInteger left = new AtomicInteger(4_000);
    Runnable consumer =
        () -> {
          ClaimOptions some = ONE.max(3).waiting(Duration.ofMillis(20));
          while (left.get() > 0) {
            for (Lease lease : ahead.queue("mail").claim(some)) {
              seen.merge(lease.jobId(), 1, Integer::sum);
              assertThat(lease.complete().isDone()).isTrue();
              left.decrementAndGet();
            }
          }
        };

    List<CompletableFuture<Void>> consumers =
        Stream.generate(
                () -> CompletableFuture.runAsync(consumer, task -> new Thread(task).start()))
            .limit(8)
            .toList();
    consumers.forEach(CompletableFuture::join);

    assertThat(seen).hasSize(4_000).allSatisfy((job, times) -> assertThat(times).isEqualTo(1));
  }

  @Test
  void whatNobodyAsksFor_isFreeAgain_andDoesNotCount() {
    enqueue(1_000);

    List<Lease> leases = claimAll(ahead, 500);

    awaitCount(JobState.READY, 500);
    assertThat(queue.peek(JobState.READY, PageRequest.first(1_000)).items())
        .hasSize(500)
        .extracting(Job::attempts)
        .containsOnly(0);
    assertThat(leases).allMatch(lease -> lease.complete().isDone());
  }

  static Stream<ClaimOptions> unfit() {
    return Stream.of(
        ONE.maxWeight(100),
        ONE.leaseDuration(Duration.ofMillis(1_999)),
        ONE.maxPerQueue(Map.of(QueueName.of("mail"), 1)));
  }

  @ParameterizedTest
  @MethodSource("unfit")
  void claimsWithBoundsOfTheirOwn_areEachAskedFor(ClaimOptions options) {
    enqueue(60);

    for (int i = 0; i < 50; i++) {
      assertThat(ahead.queue("mail").claim(options)).hasSize(1);
    }

    assertThat(claimCallCount()).isEqualTo(50);
    awaitCount(JobState.LEASED, 50);
  }

  @Test
  void functionsOfTransactions_getNone() {
    enqueue(500);
    claimAll(ahead, 100);

    assertThatThrownBy(() -> ahead.transact(tx -> ahead.queue("mail").claim(ONE)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("transaction");
  }

  @Test
  void close_releasesThem_andTheNextClaimIsRefused() {
    enqueue(1_000);
    RemoteQueues queues =
        RemoteQueues.connect(
            "millrace://127.0.0.1:" + served.server().port(), it -> it.claimsAhead(100));
    claimAll(queues, 200);
    JobQueue closed = queues.queue("mail");

    queues.close();

    awaitCount(JobState.READY, 1_000);
    assertThatThrownBy(() -> closed.claim(ONE)).isInstanceOf(EngineClosedException.class);
  }

  @Test
  void claimsAhead_outOfRange_isRefused() {
    assertThatThrownBy(() -> ClientOptions.DEFAULT.claimsAhead(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("claimsAhead");
  }
}
