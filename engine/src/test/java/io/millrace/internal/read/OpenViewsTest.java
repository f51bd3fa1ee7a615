package io.millrace.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.ReadView;
import io.millrace.spi.StoreBusyException;
import io.millrace.spi.StoreClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class OpenViewsTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  private final StoredRows rows = new StoredRows();
  private long nowNs = Long.MAX_VALUE - 5;
  private final OpenViews views = new OpenViews(() -> nowNs, 2, Duration.ofMillis(1));

  @AfterEach
  void close() {
    rows.close();
  }

  @Test
  void oldestAge_twoOpenViews_isThatOfTheOlder() {
    ReadView older = views.open(rows.store());
    nowNs += 10;
    ReadView younger = views.open(rows.store());
    nowNs += 7;

    assertThat(views.oldestAge()).contains(Duration.ofNanos(17));
    older.close();
    assertThat(views.oldestAge()).contains(Duration.ofNanos(7));
    younger.close();
    assertThat(views.oldestAge()).isEmpty();
  }

  @Test
  void during_work_countsAsAView() {
    views.during(
        () -> {
          nowNs += 3;
          assertThat(views.oldestAge()).contains(Duration.ofNanos(3));
          ReadView last = views.open(rows.store());
          assertThatThrownBy(() -> views.open(rows.store())).isInstanceOf(StoreBusyException.class);
          last.close();
        });

    assertThat(views.oldestAge()).isEmpty();
  }

  @Test
  void open_asManyAsThereMayBe_oneMoreIsToldBusyAfterItsWait() {
    ReadView first = views.open(rows.store());
    ReadView second = views.open(rows.store());

    assertThatThrownBy(() -> views.open(rows.store()))
        .isInstanceOf(StoreBusyException.class)
        .hasMessage(
            "too many reads are under way: limit=2, waitedMs=1; nothing happened, try again later");
    assertThatThrownBy(() -> views.during(() -> {})).isInstanceOf(StoreBusyException.class);

    first.close();
    first.close();
    ReadView third = views.open(rows.store());
    assertThatThrownBy(() -> views.open(rows.store())).isInstanceOf(StoreBusyException.class);
    second.close();
    third.close();
  }

  @Test
  void open_oneIsClosedMeanwhile_waitsForIt() throws Exception {
    OpenViews patient = new OpenViews(() -> nowNs, 1, LONG);
    ReadView first = patient.open(rows.store());
    AtomicReference<Thread> reader = new AtomicReference<>();
    CompletableFuture<Long> commit =
        CompletableFuture.supplyAsync(
            () -> {
              reader.set(Thread.currentThread());
              try (ReadView view = patient.open(rows.store())) {
                return view.commit();
              }
            });
    while (reader.get() == null || reader.get().getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }

    first.close();

    assertThat(commit.get(30, TimeUnit.SECONDS)).isEqualTo(rows.store().lastCommit());
    assertThat(patient.oldestAge()).isEmpty();
  }

  @Test
  void open_threadIsInterrupted_readsIfThereIsAViewAndNeverWaits() {
    OpenViews patient = new OpenViews(() -> nowNs, 1, LONG);
    Thread.currentThread().interrupt();

    ReadView first = patient.open(rows.store());
    assertThatThrownBy(() -> patient.open(rows.store())).isInstanceOf(StoreBusyException.class);

    assertThat(Thread.interrupted()).isTrue();
    first.close();
  }

  @Test
  void openAndDuring_whatFails_keepsNoView() {
    StoredRows closed = new StoredRows();
    closed.close();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> views.open(closed.store())).isInstanceOf(StoreClosedException.class);
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  views.during(
                      () -> {
                        throw new IllegalStateException("on purpose");
                      }));
    }

    List<ReadView> all = new ArrayList<>();
    all.add(views.open(rows.store()));
    all.add(views.open(rows.store()));

    all.forEach(ReadView::close);
    assertThat(views.oldestAge()).isEmpty();
  }
}
