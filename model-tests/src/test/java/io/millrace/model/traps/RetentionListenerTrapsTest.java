package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.Result;
import io.millrace.api.RetentionListener;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** A listener that refuses jobs keeps these, and no others. */
class RetentionListenerTrapsTest extends TrapTest {

  private static final EnqueueOptions KEPT = EnqueueOptions.DEFAULT.resultRetention(ofMinutes(10));

  private final List<String> shown = Collections.synchronizedList(new ArrayList<>());
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  private void show(Job job) {
    String payload = new String(job.payload(), UTF_8);
    shown.add(payload);
    if (refused.contains(payload)) {
      throw new IllegalStateException("archive is full, call " + shown.size());
    }
  }

  private EngineHarness startWith(StoreKind kind, RetentionListener listener) {
    return start(
        kind,
        clock ->
            Setup.DEFAULT
                .withDurability(Durability.BUFFERED)
                .options(clock)
                .retentionListener(listener));
  }

  private static JobId done(JobQueue queue, String payload) {
    JobId id = enqueue(queue, payload, KEPT);
    claim(queue).complete(("result " + payload).getBytes(UTF_8)).orThrow();
    return id;
  }

  private static void done(EngineHarness harness, int count) {
    JobQueue mail = mail(harness);
    mail.enqueueAll(Collections.nCopies(count, new NewJob("x".getBytes(UTF_8), KEPT)));
    harness.queues().completeAll(claim(mail, count)).forEach(Result::orThrow);
  }

  private static long doneCount(JobQueue queue) {
    return queue.stats().orElseThrow().count(JobState.DONE);
  }

  /** Waits until so many jobs were shown, and the engine knows that the last was refused. */
  private void awaitRefused(EngineHarness harness, int count) {
    await(
        count + " jobs are shown",
        () -> warnings(harness).stream().anyMatch(text -> text.endsWith("call " + count)));
  }

  /** Waits until no answer of the listener is on its way any more, and nothing is due. */
  private static void pass(EngineHarness harness, Duration duration) {
    advance(harness, duration);
    harness.awaitNothingDue();
  }

  private static List<String> warnings(EngineHarness harness) {
    return harness.engine().health().warnings();
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void refusal_ofOneJob_keepsNoOtherJobOfAnyQueue(StoreKind kind) {
    EngineHarness harness = startWith(kind, this::show);
    JobQueue mail = mail(harness);
    JobQueue other = harness.queues().queue("other");
    refused.add("b");
    done(mail, "a");
    JobId id = done(mail, "b");
    done(mail, "c");
    done(other, "d");
    JobId unstarted = enqueue(mail, "e", EnqueueOptions.DEFAULT.timeToLive(ofMinutes(10)));

    advance(harness, ofMinutes(10));
    await("all but b are gone", () -> doneCount(mail) == 1 && doneCount(other) == 0);

    assertThat(shown).containsExactly("a", "b", "c", "d");
    assertThat(harness.queues().get(unstarted)).isEmpty();
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.DONE);
    await("health tells", () -> !warnings(harness).isEmpty());
    assertThat(warnings(harness))
        .containsExactly(
            "the retention listener refused jobs, which stay and are offered again: count=1,"
                + " newest: job="
                + id
                + ", reason=java.lang.IllegalStateException: archive is full, call 2");

    refused.clear();
    advance(harness, ofSeconds(1));
    await("b is gone, too", () -> doneCount(mail) == 0);

    await("health is well again", () -> warnings(harness).isEmpty());
    assertThat(shown).containsExactly("a", "b", "c", "d", "b");
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void refusal_againAndAgain_waitsTwiceAsLongUpToAnHour() {
    EngineHarness harness = startWith(StoreKind.MEMORY, this::show);
    JobQueue mail = mail(harness);
    refused.add("a");
    done(mail, "a");
    advance(harness, ofMinutes(10));
    awaitRefused(harness, 1);

    int times = 1;
    for (long waitS = 1; times < 16; waitS = Math.min(2 * waitS, 3_600)) {
      pass(harness, ofSeconds(waitS).minus(ofMillis(1)));
      assertThat(shown).as("before " + waitS + " s").hasSize(times);
      harness.clock().advanceMs(1);
      times++;
      awaitRefused(harness, times);
    }
    done(mail, "b");
    advance(harness, ofMinutes(10));
    await("the other is not kept", () -> doneCount(mail) == 1);
  }

  @Test
  void refusal_ofEverything_isNeitherAHotLoopNorTheEnd() {
    EngineHarness harness = startWith(StoreKind.MEMORY, this::show);
    refused.add("x");
    done(harness, 250);

    advance(harness, ofMinutes(10));
    awaitRefused(harness, 100);
    pass(harness, ofSeconds(9));
    assertThat(shown).hasSize(100);

    refused.clear();
    await(
        "all are gone",
        () -> {
          advance(harness, ofSeconds(1));
          return doneCount(mail(harness)) == 0;
        });
    await("health is well again", () -> warnings(harness).isEmpty());
    assertThat(shown).hasSize(350);
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
  }

  @Test
  @Tag("slow")
  void refusal_ofMoreThanAreKnownOneByOne_theOthersComeAgainAfterAnHour() {
    EngineHarness harness = startWith(StoreKind.MEMORY, this::show);
    refused.add("x");
    for (int i = 0; i < 11; i++) {
      done(harness, 1_000);
    }
    harness.clock().advanceMs(ofMinutes(10).toMillis());
    await(
        "each was shown",
        () -> {
          advance(harness, ofSeconds(10));
          return warnings(harness).stream().anyMatch(text -> text.contains("count=10000 and more"));
        });
    JobQueue other = harness.queues().queue("other");
    done(other, "other");
    await(
        "the other is not kept",
        () -> {
          advance(harness, ofSeconds(10));
          return doneCount(other) == 0;
        });

    refused.clear();
    advance(harness, ofHours(1));
    await(
        "all are gone",
        () -> {
          advance(harness, ofSeconds(10));
          return doneCount(mail(harness)) == 0;
        });

    assertThat(timerCount(harness)).isZero();
    await("health is well again", () -> warnings(harness).isEmpty());
  }

  @Test
  void refusal_queueIsDeletedMeanwhile_isForgotten() {
    EngineHarness harness = startWith(StoreKind.MEMORY, this::show);
    JobQueue mail = mail(harness);
    refused.add("a");
    done(mail, "a");
    advance(harness, ofMinutes(10));
    await("it is known", () -> !warnings(harness).isEmpty());

    mail.delete();
    advance(harness, ofSeconds(1));

    await("it is forgotten", () -> warnings(harness).isEmpty());
    assertThat(shown).containsExactly("a");
    done(mail, "b");
    advance(harness, ofMinutes(10));
    await("retention goes on", () -> doneCount(mail) == 0);
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
  }

  /** As a listener does that writes to another engine. */
  @Test
  void refusal_byAnotherEnginesException_isARefusalLikeOthers() {
    EngineHarness harness =
        startWith(
            StoreKind.MEMORY,
            job -> {
              show(job);
              if (shown.size() == 1) {
                throw new EngineClosedException("engine is closed; nothing happened", null);
              }
            });
    JobQueue mail = mail(harness);
    done(mail, "a");
    done(mail, "b");

    advance(harness, ofMinutes(10));
    await("b is gone", () -> doneCount(mail) == 1);
    await(
        "a is gone",
        () -> {
          advance(harness, ofSeconds(1));
          return doneCount(mail) == 0;
        });

    assertThat(shown).containsExactly("a", "b", "a");
  }
}
