package io.millrace.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.ReadView;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class OpenViewsTest {

  private final StoredRows rows = new StoredRows();
  private long nowNs = Long.MAX_VALUE - 5;
  private final OpenViews views = new OpenViews(() -> nowNs);

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
        });

    assertThat(views.oldestAge()).isEmpty();
  }
}
