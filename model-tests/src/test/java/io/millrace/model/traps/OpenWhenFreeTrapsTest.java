package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.EngineOptions;
import io.millrace.api.Limits;
import io.millrace.engine.JobEngine;
import io.millrace.spi.FormatVersionException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreUnavailableException;
import io.millrace.spi.testkit.shared.SharedDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever stands by gets the store when its owner lets go of it, and not before. */
@Timeout(60)
@Tag("slow")
class OpenWhenFreeTrapsTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  /** Time for an attempt and a second one. */
  private static final Duration WHILE = Duration.ofMillis(150);

  @TempDir Path folder;

  private String location() {
    return "lmdb:" + folder.resolve("store");
  }

  private static JobEngine open(String location, Duration atMost) {
    return JobEngine.openWhenFree(location, EngineOptions.DEFAULT, atMost);
  }

  @Test
  void openWhenFree_nobodyHasIt_opensAtOnce() {
    try (JobEngine engine = open(location(), Duration.ZERO)) {
      engine.queue("mail").enqueue(new byte[0]);
    }
  }

  @Test
  void openWhenFree_ownerCloses_isNext() {
    JobEngine owner = JobEngine.open(location());
    owner.queue("mail").enqueue(new byte[0]);
    CompletableFuture<JobEngine> waiting =
        CompletableFuture.supplyAsync(() -> open(location(), LONG));
    assertThatThrownBy(() -> open(location(), WHILE)).isInstanceOf(StoreLockedException.class);
    assertThat(waiting).isNotDone();

    owner.close();

    try (JobEngine next = waiting.join()) {
      assertThat(next.queue("mail").stats()).isPresent();
    }
  }

  @Test
  void openWhenFree_timeIsOver_saysWhoHasIt() {
    try (JobEngine owner = JobEngine.open(location())) {
      assertThatThrownBy(() -> open(location(), Duration.ZERO))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining(Long.toString(ProcessHandle.current().pid()));
      owner.queue("mail").enqueue(new byte[0]);
    }
  }

  @Test
  void openWhenFree_interrupted_endsAndKeepsTheFlag() throws InterruptedException {
    try (JobEngine owner = JobEngine.open(location())) {
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      AtomicReference<Boolean> flag = new AtomicReference<>();
      Thread waiting =
          new Thread(
              () -> {
                try {
                  open(location(), LONG).close();
                } catch (StoreException e) {
                  thrown.set(e);
                  flag.set(Thread.currentThread().isInterrupted());
                }
              });
      waiting.start();

      waiting.interrupt();
      waiting.join();

      assertThat(thrown.get()).isInstanceOf(StoreLockedException.class);
      assertThat(flag.get()).isTrue();
      owner.queue("mail").enqueue(new byte[0]);
    }
  }

  @Test
  void openWhenFree_somethingElseIsThere_isToldAtOnce() throws IOException {
    Files.createDirectories(folder.resolve("store"));
    Files.writeString(folder.resolve("store").resolve("other"), "something else");

    assertThatThrownBy(() -> open(location(), LONG)).isInstanceOf(FormatVersionException.class);
  }

  @Test
  void openWhenFree_badInput_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> open(location(), Duration.ofMillis(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(location(), Limits.DELAY_MAX.plusMillis(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> open("nothing", LONG));
    assertThatThrownBy(() -> open(location(), null)).isInstanceOf(NullPointerException.class);
    assertThat(folder.resolve("store")).doesNotExist();
  }

  @Test
  void openWhenFree_databaseIsAway_isWaitedFor() {
    SharedDatabase database = new SharedDatabase();
    SharedDatabase.Node node = database.newLink();
    node.cutOff();
    assertThatThrownBy(
            () -> JobEngine.openWhenFree(node, database.options(), EngineOptions.DEFAULT, WHILE))
        .isInstanceOf(StoreUnavailableException.class);
    CompletableFuture<JobEngine> waiting =
        CompletableFuture.supplyAsync(
            () -> JobEngine.openWhenFree(node, database.options(), EngineOptions.DEFAULT, LONG));
    assertThat(waiting).isNotDone();

    node.heal();

    waiting.join().close();
  }
}
