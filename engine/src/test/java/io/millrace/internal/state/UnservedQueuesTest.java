package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.QueueName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnservedQueuesTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final QueueName ACME = new QueueName("mail", "acme");
  private static final QueueName NEWS = QueueName.of("news");

  private final UnservedQueues unserved = new UnservedQueues();

  private List<QueueName> walk(long nowMs, List<QueueName> found) {
    unserved.beginWalk();
    unserved.found(found, nowMs);
    return unserved.endWalk(nowMs);
  }

  @Test
  void walks_nothingChanges_endWithTheOneThatShows() {
    assertThat(unserved.walkAtMs()).isLessThan(0);

    assertThat(walk(10_000, List.of(MAIL))).isEmpty();
    assertThat(unserved.walkAtMs()).isEqualTo(70_000);
    assertThat(walk(69_999, List.of(MAIL))).isEmpty();
    assertThat(walk(70_000, List.of(MAIL))).containsExactly(MAIL);

    assertThat(unserved.shown()).isEqualTo(new UnservedQueues.Shown(List.of(MAIL), 1, false));
    assertThat(unserved.walkAtMs()).isEqualTo(UnservedQueues.NEVER);
    assertThat(walk(80_000, List.of(MAIL))).isEmpty();
    assertThat(unserved.shown().count()).isOne();
  }

  @Test
  void walk_doesNotFindIt_endsIt() {
    walk(0, List.of(MAIL, NEWS));
    walk(60_000, List.of(MAIL, NEWS));

    walk(70_000, List.of(NEWS));

    assertThat(unserved.shown().first()).containsExactly(NEWS);
  }

  @Test
  void claims_begin_theTimeOfTheQueuesThatTheyNameAnew() {
    walk(0, List.of(MAIL, ACME, NEWS));

    unserved.claimed(MAIL);
    assertThat(unserved.walkAtMs()).isLessThan(0);
    assertThat(walk(60_000, List.of(MAIL, ACME, NEWS))).containsExactly(ACME, NEWS);
    unserved.claimedAcrossTenants("mail");

    assertThat(unserved.shown().first()).containsExactly(NEWS);
    assertThat(walk(119_999, List.of(MAIL, ACME, NEWS))).isEmpty();
  }

  @Test
  void served_endsWhenTheLastOfThoseWhoServeItEnds() {
    Runnable first = unserved.served().serve(List.of(MAIL), List.of());
    Runnable second = unserved.served().serve(List.of(MAIL), List.of("news"));
    walk(0, List.of());
    assertThat(unserved.walkAtMs()).isEqualTo(UnservedQueues.NEVER);

    first.run();
    first.run();

    assertThat(unserved.served().isServed(MAIL)).isTrue();
    assertThat(unserved.served().isServed(ACME)).isFalse();
    assertThat(unserved.served().isServed(new QueueName("news", "x"))).isTrue();
    assertThat(unserved.walkAtMs()).isLessThan(0);
    second.run();
    assertThat(unserved.served().isServed(MAIL)).isFalse();
    assertThat(unserved.served().isServed(NEWS)).isFalse();
  }

  @Test
  void batches_nothingIsUnserved_askForNoWalk() {
    walk(0, List.of());
    unserved.noteBatch();
    assertThat(unserved.walkAtMs()).isEqualTo(UnservedQueues.NEVER);

    walk(0, List.of(MAIL));
    unserved.noteBatch();

    assertThat(unserved.walkAtMs()).isLessThan(0);
  }

  @Test
  void found_moreThanAreKept_areToldAsMore() {
    List<QueueName> many = new ArrayList<>();
    for (int i = 0; i <= UnservedQueues.KEPT_COUNT_MAX; i++) {
      many.add(QueueName.of("q" + i));
    }

    walk(0, many);
    walk(60_000, many);

    assertThat(unserved.shown().count()).isEqualTo(UnservedQueues.KEPT_COUNT_MAX);
    assertThat(unserved.shown().isMore()).isTrue();
    walk(70_000, many.subList(1, many.size()));
    walk(80_000, many.subList(1, many.size()));
    assertThat(unserved.shown().isMore()).isFalse();
  }
}
