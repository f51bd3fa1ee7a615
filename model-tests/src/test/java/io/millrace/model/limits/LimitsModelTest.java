package io.millrace.model.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.rig.Await;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import net.jqwik.api.AfterFailureMode;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterProperty;

/**
 * Several callers at all limits at once, on a store that takes small batches: all is carried out or
 * refused for its own size, and over deaths and restarts nothing is lost and nothing is twice.
 * Batches of jobs count each, and what comes after them comes once.
 *
 * <p>That no transition adds more than it declared is asserted by the engine itself. {@code
 * -Dmillrace.seed=SEED} repeats the calls of a failure, though not their order among the callers.
 */
@Tag("thorough")
class LimitsModelTest {

  private static final int CALLER_COUNT = 3;
  private static final int ROUND_COUNT = 3;
  private static final int CALL_COUNT = 7;
  private static final int OPERATIONS_FEW = 4_096;
  private static final int OPERATIONS_MANY = 131_072;
  private static final long BYTES_FEW = 1 << 20;
  private static final long BYTES_MANY = 64 << 20;

  private long jobCount;
  private long refusedCount;
  private long batchCount;
  private long overCount;
  private long cameCount;
  private int historyCount;
  private boolean hasFailed;

  @Property(shrinking = ShrinkingMode.OFF, afterFailure = AfterFailureMode.RANDOM_SEED)
  void calls_atAllLimitsOnAStoreOfSmallBatches_areCarriedOutOrRefusedForTheirSize(
      @ForAll("seeds") long seed) throws IOException {
    Path folder = Files.createTempDirectory("millrace-limits");
    try {
      hasFailed = true;
      run(seed, folder);
      hasFailed = false;
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed, e);
    } finally {
      delete(folder);
    }
  }

  @Provide
  Arbitrary<Long> seeds() {
    Long repeated = Long.getLong("millrace.seed");
    return repeated == null
        ? Arbitraries.longs().withDistribution(RandomDistribution.uniform())
        : Arbitraries.just(repeated);
  }

  private void run(long seed, Path folder) {
    Random random = new Random(seed);
    int narrow = random.nextInt(3);
    int operationsMax = narrow == 0 ? OPERATIONS_MANY : OPERATIONS_FEW;
    long bytesMax = narrow == 1 ? BYTES_MANY : BYTES_FEW;
    StoreFactory factory = anyKind(random).newFactory();
    List<LimitsCaller> callers = new ArrayList<>();
    for (int i = 0; i < CALLER_COUNT; i++) {
      callers.add(new LimitsCaller("caller " + i, random.nextLong(), operationsMax, bytesMax));
    }
    try (LimitedEngine limited =
        new LimitedEngine(NarrowStore.factory(factory, operationsMax, bytesMax), folder)) {
      for (int round = 0; round < ROUND_COUNT; round++) {
        callTogether(limited, callers);
        limited.harness().storeLeases();
        limited.assertUnharmed();
        callers.forEach(caller -> caller.check(limited.engine()));
        interrupt(limited, callers, random);
        callers.forEach(caller -> caller.check(limited.engine()));
      }
      finish(limited, callers);
    }
    historyCount++;
    callers.forEach(caller -> jobCount += caller.jobCount());
    callers.forEach(caller -> refusedCount += caller.refusedCount());
    for (LimitsCaller caller : callers) {
      batchCount += caller.batches().count();
      overCount += caller.batches().overCount();
      cameCount += caller.batches().cameCount();
    }
  }

  private static StoreKind anyKind(Random random) {
    return switch (random.nextInt(20)) {
      case 0 -> StoreKind.LMDB;
      case 1 -> StoreKind.ROCKSDB;
      default -> StoreKind.FAULTY;
    };
  }

  private static void callTogether(LimitedEngine limited, List<LimitsCaller> callers) {
    List<CompletableFuture<Boolean>> done = new ArrayList<>();
    for (LimitsCaller caller : callers) {
      done.add(
          limited.begin(
              () -> {
                for (int i = 0; i < CALL_COUNT; i++) {
                  caller.call(limited.engine());
                }
                return true;
              }));
    }
    done.forEach(Await::join);
  }

  /** The process dies or stops, or time passes; what is due meanwhile is done at the next start. */
  private static void interrupt(LimitedEngine limited, List<LimitsCaller> callers, Random random) {
    int how = random.nextInt(3);
    callers.forEach(caller -> caller.batches().passTime(LimitedEngine.DELAY));
    if (how == 0) {
      limited.dieUntilAllIsDue();
      limited.harness().openAgain();
      callers.forEach(LimitsCaller::loseLeases);
    } else if (how == 1) {
      limited.restartWhenAllIsDue();
      callers.forEach(LimitsCaller::loseLeases);
    } else {
      limited.harness().clock().advanceMs(LimitedEngine.DELAY.toMillis() + 1);
    }
    limited.harness().poke();
    limited.harness().awaitNothingDue();
    callers.forEach(LimitsCaller::dropLate);
    limited.assertUnharmed();
  }

  /** What comes after batches is worked, and the others are looked at once more. */
  private static void finish(LimitedEngine limited, List<LimitsCaller> callers) {
    callers.forEach(caller -> caller.batches().finish(limited.engine()));
    limited.harness().poke();
    limited.harness().storeLeases();
    callers.forEach(caller -> caller.check(limited.engine()));
    limited.assertClean();
  }

  @AfterProperty
  void report() {
    Trials.report(
        getClass(),
        "%d histories of %d jobs, %d calls refused as too large; %d batches, %d over, %d came after"
            .formatted(historyCount, jobCount, refusedCount, batchCount, overCount, cameCount));
    // Else this would be told in place of a history that failed, and its seed.
    if (historyCount > 1 && !hasFailed) {
      assertThat(refusedCount).isPositive();
      assertThat(overCount).isPositive();
      assertThat(cameCount).isPositive();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
