package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.JobEngine;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.ModelTables;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.ReadView;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random histories of users' tables on the model and on an engine side by side: by single calls, in
 * groups that meet in one batch, over stops of every kind. In the end nothing is stored but the
 * rows and the names of the tables that there are.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Tag("slow")
final class TableModelTest {

  private static final int SEED_COUNT = Trials.count("tableHistories", 10, 25, 1_500);
  private static final int STEP_COUNT = 120;
  private static final int GROUP_SIZE_MAX = 8;
  private static final int REAL_SECONDS_MAX = 20;

  @TempDir private Path folder;

  private SplittableRandom random;
  private EngineHarness harness;
  private ModelTables model;
  private TableSteps steps;

  @ParameterizedTest
  @EnumSource(StoreKind.class)
  void history_ofTables_engineAnswersAsTheModel(StoreKind kind) {
    long first = Trials.seedOfChanges();
    for (long seed = first; seed < first + SEED_COUNT; seed++) {
      try {
        run(kind, seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("repeat with -Dmillrace.seed=" + seed, e);
      }
    }
    Trials.report(getClass(), "%d histories from %d on %s".formatted(SEED_COUNT, first, kind));
  }

  private void run(StoreKind kind, long seed) {
    random = new SplittableRandom(seed);
    model = new ModelTables();
    steps = new TableSteps(random);
    try (EngineHarness started =
        new EngineHarness(kind, folder.resolve(kind + "-" + seed), Setup.DEFAULT)) {
      harness = started;
      for (int i = 0; i < STEP_COUNT; i++) {
        step();
        steps.compare(model, harness.engine());
      }
      assertThat(TableSteps.all(harness.engine())).isEqualTo(TableSteps.all(model));
      Await.until("rows of dropped tables are removed", this::isTidy, REAL_SECONDS_MAX);
      assertThat(harness.engine().verify().problems()).isEmpty();
      assertThat(harness.engine().verify().isClean()).isTrue();
    }
  }

  private void step() {
    switch (random.nextInt(24)) {
      case 0 -> harness.restartCleanly();
      case 1 -> harness.crash();
      case 2, 3, 4, 5 -> group();
      default -> single();
    }
  }

  private void single() {
    TableSteps.Change change = steps.next();
    String expected = change.model().apply(model);
    JobEngine engine = harness.engine();
    String answer =
        random.nextBoolean()
            ? change.blocking().apply(engine)
            : Await.join(change.engine().apply(engine), REAL_SECONDS_MAX);
    assertThat(answer).isEqualTo(expected);
  }

  /** Several are asked for while the engine is held, so that it finds them all at once. */
  private void group() {
    int size = 1 + random.nextInt(GROUP_SIZE_MAX);
    List<TableSteps.Change> changes = new ArrayList<>();
    while (changes.size() < size) {
      TableSteps.Change change = steps.next();
      if (change.isByFuture()) {
        changes.add(change);
      }
    }
    harness.store().holdNextWrite();
    CompletableFuture<Void> blocker =
        CompletableFuture.runAsync(() -> harness.engine().queue("blocker").enqueue(new byte[] {1}));
    List<String> expected = new ArrayList<>();
    List<CompletableFuture<String>> answers = new ArrayList<>();
    try {
      harness.store().awaitHeld();
      for (TableSteps.Change change : changes) {
        expected.add(change.model().apply(model));
        answers.add(change.engine().apply(harness.engine()));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("the test was interrupted", e);
    } finally {
      harness.store().letGo();
    }
    Await.join(blocker, REAL_SECONDS_MAX);
    assertThat(answers.stream().map(answer -> Await.join(answer, REAL_SECONDS_MAX)).toList())
        .isEqualTo(expected);
  }

  /** Whether the store has a row for each of the model's, and one for each name, and no others. */
  private boolean isTidy() {
    try (ReadView view = harness.store().read()) {
      int stored =
          view.scan(
              Keyspace.TABLE.start(),
              Keyspace.TABLE.end(),
              Integer.MAX_VALUE,
              (key, value) -> true);
      return stored == model.rowCount() + model.names().size();
    }
  }
}
