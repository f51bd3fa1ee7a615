package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.api.QueueName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TenantRingTest {

  private final UndoLog undoLog = new UndoLog();
  private final TenantRings rings = new TenantRings(undoLog, new SharedSettings.OfAll());
  private final TenantRing ring = rings.ring("mail", 0);

  private static QueueName queue(String tenant) {
    return new QueueName("mail", tenant);
  }

  private TenantRing.Tenant tenant(String name) {
    return Objects.requireNonNull(ring.find(queue(name)));
  }

  private List<String> order() {
    List<String> order = new ArrayList<>();
    long place = 0;
    for (TenantRing.Tenant each = ring.first(); each != null; each = ring.next(each)) {
      assertThat(each.place()).isGreaterThan(place);
      assertThat(ring.firstBehind(place)).isSameAs(each);
      place = each.place();
      order.add(each.queue().tenant());
    }
    assertThat(ring.firstBehind(place)).isNull();
    assertThat(ring.size()).isEqualTo(order.size());
    assertThat(rings.turnCount()).isEqualTo(order.size());
    return order;
  }

  @Test
  void enter_whoeverIsThere_goesToTheTail() {
    ring.enter(queue("a"));
    ring.enter(queue("b"));
    ring.keep(queue("a"));
    assertThat(order()).containsExactly("a", "b");

    ring.enter(queue("a"));

    assertThat(order()).containsExactly("b", "a");
  }

  @Test
  void served_share_isSoManyJobsOfOneTurn() {
    ring.enter(queue("a"));
    ring.enter(queue("b"));

    ring.served(tenant("a"), 3);
    ring.served(tenant("a"), 3);
    assertThat(order()).containsExactly("a", "b");
    ring.served(tenant("a"), 3);
    assertThat(order()).containsExactly("b", "a");
    ring.served(tenant("b"), 1);
    ring.served(tenant("a"), 2);
    assertThat(order()).containsExactly("a", "b");
  }

  @Test
  void undo_anyChanges_theRingIsAsBefore() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 200; round++) {
      change(random, 20);
      undoLog.clear();
      List<String> before = order();
      List<Long> places = places();

      change(random, 30);
      undoLog.undo();

      assertThat(order()).isEqualTo(before);
      assertThat(places()).isEqualTo(places);
    }
  }

  private List<Long> places() {
    return order().stream().map(name -> tenant(name).place()).toList();
  }

  private void change(SplittableRandom random, int count) {
    for (int i = 0; i < count; i++) {
      String name = "t" + random.nextInt(8);
      TenantRing.Tenant known = ring.find(queue(name));
      switch (random.nextInt(4)) {
        case 0 -> ring.enter(queue(name));
        case 1 -> ring.keep(queue(name));
        case 2 -> {
          if (known != null) {
            ring.leave(known);
          }
        }
        default -> {
          if (known != null) {
            ring.served(known, 1 + random.nextInt(3));
          }
        }
      }
    }
  }

  @Test
  void undo_ofAWalk_beginsItAnewWithAnEmptyRing() {
    ring.enter(queue("before"));
    ring.keep(queue("walked"));
    ring.walked(new byte[] {1});
    ring.keep(queue("more"));
    ring.walked(null);
    assertThat(ring.isWhole()).isTrue();

    undoLog.undo();

    assertThat(ring.isWhole()).isFalse();
    assertThat(ring.walkFrom()).isNull();
    assertThat(order()).isEmpty();
  }

  @Test
  void dropUnused_nobodyClaims_isGone() {
    rings.ring("mail", 100);

    rings.dropUnused(99);
    assertThat(rings.find("mail")).isSameAs(ring);
    rings.dropUnused(100);

    assertThat(rings.find("mail")).isNull();
  }

  @Tag("slow")
  @Test
  void firstBehind_nothingSeen_isAtHandHoweverManyThereAre() {
    for (int i = 0; i < 200_000; i++) {
      ring.enter(queue("t" + i));
    }
    undoLog.clear();

    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          for (int i = 0; i < 20_000; i++) {
            assertThat(ring.firstBehind(0)).isSameAs(ring.first());
          }
        });
  }
}
