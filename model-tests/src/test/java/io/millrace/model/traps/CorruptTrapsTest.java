package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.MillraceException;
import io.millrace.api.Backoff;
import io.millrace.api.Codec;
import io.millrace.api.CorruptDataException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Table;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.rig.InProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** One damaged row costs one job at most, and neither the start nor the others. */
@InProcess("damaged rows of the store, whoever calls")
class CorruptTrapsTest extends TrapTest {

  private static final byte[] SIGNAL = "payload of the signal".getBytes(UTF_8);
  private static final byte[] FIRST_KEY = {0};
  private static final byte[] AFTER_LAST_KEY = {-1, -1, -1, -1, -1, -1, -1, -1};

  @Test
  void corruptRecord_askedFor_isToldWithItsKeyAndTheOthersGoOn() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "before");
    JobId id = enqueue(mail(harness), "damaged");
    enqueue(mail(harness), "after");
    harness.engine().close();
    byte[] key = rowsContaining(harness, "damaged").get(0);
    harness.machine().flipBit(storeFolder(), key, 40);
    harness.restartCleanly();

    assertThatThrownBy(() -> harness.queues().get(id))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("READY")
        .hasMessageContaining(HexFormat.of().formatHex(key));
    assertThat(payloads(claimUntilEmpty(mail(harness)))).containsExactly("before", "after");
    enqueue(mail(harness), "flush");
    assertThat(harness.queues().verify().isClean()).isFalse();
    assertThat(harness.queues().verify().problems()).isEmpty();
    assertThat(harness.queues().verify().quarantinedCount()).isEqualTo(1);
    assertThat(harness.engine().metrics().setAsideCount()).isEqualTo(1);
    assertThat(mail(harness).stats().orElseThrow().count(JobState.READY)).isEqualTo(1);
  }

  @Test
  void anyRow_anyDamage_engineOpensServesAndLosesOneJobAtMost() {
    int rowCount = new Damaged("count").keys().size();
    SoftAssertions damages = new SoftAssertions();
    for (int row = 0; row < rowCount; row++) {
      for (int bit : new int[] {0, 13, 70}) {
        Damaged damaged = new Damaged(row + "-" + bit);
        int damagedRow = row;
        damages
            .assertThatCode(() -> damaged.damage(damagedRow, bit))
            .as("row " + row + " bit " + bit)
            .doesNotThrowAnyException();
      }
    }
    damages.assertAll();
  }

  /** A small store with jobs in every state, of which one row will be damaged. */
  private final class Damaged {

    private final EngineHarness harness;
    private final StoreOptions options;

    Damaged(String name) {
      options = StoreOptions.of(folder.resolve(name));
      harness = new EngineHarness(StoreKind.FAULTY, options.folder(), Setup.DEFAULT::options);
      EnqueueOptions twice =
          EnqueueOptions.DEFAULT.maxAttempts(2).backoff(Backoff.fixed(ofSeconds(100)));
      for (String queue : List.of("one", "two")) {
        JobQueue jobs = harness.queues().queue(queue);
        jobs.configure(settings -> settings.deadRetention(ofSeconds(10_000)));
        jobs.enqueue("done".getBytes(UTF_8), twice.priority(9).resultRetention(ofSeconds(10_000)));
        claim(jobs).complete("result".getBytes(UTF_8)).orThrow();
        jobs.enqueue("unstarted".getBytes(UTF_8), twice.priority(-9).timeToLive(ofSeconds(10_000)));
        jobs.enqueue("dead".getBytes(UTF_8), twice.priority(9));
        claim(jobs).fail("broken", FailOptions.PERMANENT).orThrow();
        jobs.enqueue("retried".getBytes(UTF_8), twice.priority(9));
        claim(jobs).fail("broken").orThrow();
        jobs.enqueue("delayed".getBytes(UTF_8), twice.delay(ofSeconds(50)));
        jobs.enqueue("leased".getBytes(UTF_8), twice.priority(9));
        claim(jobs);
        jobs.enqueue("ready".getBytes(UTF_8), twice);
        jobs.enqueue(new byte[2_000], twice);
      }
      tellAndNote(harness.queues().queue("one"), twice);
      harness.store().cut();
    }

    /** Jobs that wait for signals, or have some, and rows of a table. */
    private void tellAndNote(JobQueue jobs, EnqueueOptions twice) {
      jobs.enqueue("waiting".getBytes(UTF_8), twice.priority(9));
      assertThat(claim(jobs).waitFor("go", ofSeconds(100))).isEqualTo(WaitResult.WAITING);
      jobs.enqueue("woken".getBytes(UTF_8), twice.priority(9));
      Lease woken = claim(jobs);
      assertThat(woken.waitFor("go")).isEqualTo(WaitResult.WAITING);
      harness.queues().signal(woken.jobId(), "go", SIGNAL).orThrow();
      JobId told = jobs.enqueue("told".getBytes(UTF_8), twice.priority(-9)).jobId();
      harness.queues().signal(told, "other", SIGNAL).orThrow();
      harness.queues().signals().broadcast(jobs.name(), "kept", SIGNAL);
      table().put("a", "value of a");
      table().put("b", "value of b");
    }

    List<byte[]> keys() {
      closeAnyway();
      List<byte[]> keys = new ArrayList<>();
      try (OrderedStore store =
              harness.machine().open(options.access(StoreOptions.Access.READ_ONLY));
          ReadView view = store.read()) {
        view.scan(FIRST_KEY, AFTER_LAST_KEY, Integer.MAX_VALUE, (key, value) -> keys.add(key));
      }
      return keys;
    }

    void damage(int row, int bit) {
      byte[] key = keys().get(row);
      String what = "row " + HexFormat.of().formatHex(key) + " bit " + bit;
      try {
        harness.machine().flipBit(options.folder(), key, bit);
      } catch (IllegalArgumentException shortRow) {
        return;
      }
      try {
        harness.openAgain();
      } catch (MillraceException told) {
        assertThat(told).as(what).isInstanceOfAny(CorruptDataException.class, StoreException.class);
        return;
      }
      harness.clock().advanceMs(Duration.ofSeconds(200).toMillis());
      harness.poke();
      int served = 0;
      for (String queue : List.of("one", "two")) {
        served += serve(harness.queues().queue(queue));
      }
      assertThat(served).as("jobs served after damage to " + what).isBetween(14, 15);
      assertThat(look(table())).as("rows of the table after damage to " + what).isBetween(1, 2);
      assertThat(enqueue(harness.queues().queue("three"), "new")).isNotNull();
      assertThat(claim(harness.queues().queue("three"), 1)).hasSize(1);
      // What nobody asked for is found, told and set aside by verify.
      harness.queues().verify();
      pokeTwice(harness);
      assertThat(harness.queues().verify().problems()).as("problems left by " + what).isEmpty();
      harness.close();
    }

    private Table<String, String> table() {
      return harness.queues().table("notes", Codec.TEXT, Codec.TEXT);
    }

    /** How many rows can be read, each of which is right. */
    private int look(Table<String, String> table) {
      TreeSet<String> found = new TreeSet<>();
      for (int i = 0; i < 3; i++) {
        for (String key : List.of("a", "b")) {
          try {
            table.get(key).ifPresent(value -> found.add(key + " is " + value));
          } catch (CorruptDataException told) {
            // Whoever asks for the damaged row is told; the next finds it mended or gone.
          }
        }
        pokeTwice(harness);
      }
      assertThat(found).isSubsetOf("a is value of a", "b is value of b");
      return found.size();
    }

    private int serve(JobQueue queue) {
      TreeSet<String> ids = new TreeSet<>();
      for (int i = 0; i < 20; i++) {
        try {
          for (Lease lease : claim(queue, 10)) {
            ids.add(lease.jobId().toString());
            if (lease.wake() instanceof Wake.Signalled signalled) {
              assertThat(signalled).isEqualTo(new Wake.Signalled("go", SIGNAL));
            }
            lease.complete().orThrow();
          }
        } catch (CorruptDataException told) {
          // Whoever asked for the damaged row is told; the next asks for another.
        }
      }
      return ids.size();
    }

    private void closeAnyway() {
      try {
        harness.engine().close();
      } catch (MillraceException expected) {
        // The store was cut off.
      }
    }
  }

  private static List<Lease> claimUntilEmpty(JobQueue queue) {
    List<Lease> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      try {
        all.addAll(claim(queue, 10));
      } catch (CorruptDataException told) {
        // Whoever asked for the damaged row is told; the next asks for another.
      }
    }
    return all;
  }

  private Path storeFolder() {
    return folder.resolve("store");
  }

  private List<byte[]> rowsContaining(EngineHarness harness, String text) {
    List<byte[]> keys = new ArrayList<>();
    StoreOptions options = StoreOptions.of(storeFolder()).access(StoreOptions.Access.READ_ONLY);
    try (OrderedStore store = harness.machine().open(options);
        ReadView view = store.read()) {
      view.scan(
          FIRST_KEY,
          AFTER_LAST_KEY,
          Integer.MAX_VALUE,
          (key, value) -> {
            if (new String(value, UTF_8).contains(text)) {
              keys.add(key);
            }
            return true;
          });
    }
    return keys;
  }
}
