package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.model.fault.Ledger.Note;
import io.millrace.model.rig.Await;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stores at their own limit under many producers, consumers and readers: what adds is refused, what
 * ends goes on, readers see whole changes only.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Tag("slow")
class StoreLimitTest {

  private static final long STORE_BYTES_MAX = 4 << 20;
  private static final int PAYLOAD_BYTES_MAX = 6_000;
  private static final int QUEUE_COUNT = 4;
  private static final int READERS_PER_QUEUE = 2;

  /** Groups that consumers leave waiting, so that the store stays full. */
  private static final int BACKLOG = 5;

  @TempDir Path folder;
  private final Ledger ledger = new Ledger();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean isFilling = true;
  private volatile boolean isStopping;

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void limit_reachedUnderProducersConsumersAndReaders_whatEndsGoesOnAndReadersSeeWholeGroups(
      String scheme) {
    long seed = Trials.seed();
    int rounds = Trials.count("limit.rounds", 1, 2, 20);
    Events events = new Events();
    try (JobEngine engine = open(scheme, events)) {
      Lease held = heldJob(engine);
      List<Groups> queues = start(engine, seed);
      for (int round = 0; round < rounds; round++) {
        Await.until("the store is full", engine::isFull);
        long completedBefore = ledger.counted(Note.COMPLETED);
        Await.until("jobs end", () -> ledger.counted(Note.COMPLETED) > completedBefore);
        Await.until("there is room again", () -> !engine.isFull());
      }

      isFilling = false;
      Await.until("all jobs end", () -> queues.stream().allMatch(groups -> groups.waiting() == 0));
      stop();
      assertThat(engine.queue("again").enqueue(new byte[PAYLOAD_BYTES_MAX]).jobId()).isNotNull();
      assertThat(held.remaining()).isPositive();
      assertThat(held.complete()).isEqualTo(CompleteResult.COMPLETED);
      ledger.check(engine);

      assertThat(ledger.violations()).as("seed %d", seed).isEmpty();
      assertThat(queues).allSatisfy(groups -> assertThat(groups.endsRefused()).isZero());
      assertThat(ledger.counted(Note.REFUSED)).isPositive();
      assertThat(events.said()).startsWith("full", "room again").doesNotContain("poisoned");
      report(scheme, events, queues);
    }
  }

  private static Lease heldJob(JobEngine engine) {
    JobQueue queue = engine.queue("held");
    queue.enqueue(new byte[100]);
    return queue.claim("holder", Duration.ofMinutes(30)).orElseThrow();
  }

  private void report(String scheme, Events events, List<Groups> queues) {
    Trials.report(
        getClass(),
        "%s: full %d times, %d looks of %d readers; %s"
            .formatted(
                scheme,
                events.said().stream().filter("full"::equals).count(),
                queues.stream().mapToLong(Groups::looks).sum(),
                QUEUE_COUNT * READERS_PER_QUEUE,
                ledger.summary()));
  }

  private List<Groups> start(JobEngine engine, long seed) {
    List<Groups> queues = new ArrayList<>();
    for (int i = 0; i < QUEUE_COUNT; i++) {
      Groups groups = new Groups(engine, ledger, QueueName.of("queue" + i), PAYLOAD_BYTES_MAX);
      queues.add(groups);
      begin(
          seed + i,
          random -> {
            if (isFilling) {
              groups.enqueue(random);
            } else {
              Load.pause(1);
            }
          });
      begin(
          seed + i,
          random -> {
            if (!isFilling || groups.waiting() > BACKLOG) {
              groups.complete();
            } else {
              Load.pause(1);
            }
          });
      for (int j = 0; j < READERS_PER_QUEUE; j++) {
        begin(seed + i + j, groups::look);
      }
    }
    return queues;
  }

  private void begin(long seed, Consumer<Random> work) {
    Random random = new Random(seed);
    Thread thread =
        new Thread(
            () -> {
              try {
                while (!isStopping) {
                  work.accept(random);
                }
              } catch (RuntimeException | Error e) {
                ledger.wrong("was told what is not documented: " + e + e.getStackTrace()[0]);
              }
            });
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void stop() {
    isStopping = true;
    threads.forEach(thread -> Await.until("a caller is answered", () -> !thread.isAlive()));
  }

  private JobEngine open(String scheme, Events events) {
    StorePlace place = StorePlace.of(scheme + ":" + folder.resolve("store"));
    StoreOptions options = place.options().storeBytesMax(STORE_BYTES_MAX);
    return JobEngine.open(place.factory(), options, EngineOptions.DEFAULT.listener(events));
  }
}
