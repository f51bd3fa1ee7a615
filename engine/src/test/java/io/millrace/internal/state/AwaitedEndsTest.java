package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Durability;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.JobEnd;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.Keyspace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AwaitedEndsTest {

  private static final int COUNT_MAX = 40;

  private final UndoLog undoLog = new UndoLog();
  private final AwaitedEnds ends = new AwaitedEnds(undoLog, COUNT_MAX);
  private final List<JobWait> told = new ArrayList<>();
  private final Batch batch = new Batch();

  /** A batch that a test moves on. */
  private static final class Batch implements BatchUnderWay {
    private long number = 1;
    private Durability level = Durability.SYNCED;

    @Override
    public long number() {
      return number;
    }

    @Override
    public Durability level() {
      return level;
    }

    @Override
    public long nowMs() {
      return 0;
    }
  }

  private static JobAddress job(long birth) {
    return new JobAddress(1, Keyspace.READY, 0, birth);
  }

  private JobWait begin(long birth) {
    JobWait wait = new JobWait();
    ends.begin(wait, job(birth));
    return wait;
  }

  private void tell(long lastCommit, long syncedCommit) {
    ends.tell(lastCommit, syncedCommit, told::add);
  }

  @Test
  void end_isToldWhenItsCommitIsAsDurableAsAsked_theOldestWaitFirst() {
    JobWait first = begin(7);
    JobWait second = begin(7);
    batch.number = 3;
    ends.removed(7, Total.CANCELLED, batch);

    tell(3, 2);

    assertThat(told).isEmpty();
    assertThat(ends.syncedNeeded()).isEqualTo(3);
    tell(3, 3);
    assertThat(told).containsExactly(first, second);
    assertThat(ends.syncedNeeded()).isZero();
    assertThat(ends.count()).isZero();
  }

  @Test
  void end_ofABufferedCall_needsNoSync() {
    JobWait wait = begin(7);
    batch.level = Durability.BUFFERED;
    ends.removed(7, Total.DROPPED, batch);

    tell(1, 0);

    assertThat(told).containsExactly(wait);
    wait.give();
    assertThat(wait.future()).isCompletedWithValue(new JobEnd.Dropped<>());
  }

  @Test
  void batch_takenBack_waitsAreWhereTheyWere() {
    JobWait before = begin(7);
    undoLog.clear();
    JobWait with = begin(7);
    ends.removed(7, Total.CANCELLED, batch);

    undoLog.undo();

    tell(9, 9);
    assertThat(told).isEmpty();
    assertThat(ends.count()).isEqualTo(1);
    ends.removed(7, Total.CANCELLED, batch);
    tell(9, 9);
    assertThat(told).containsExactly(before).doesNotContain(with);
  }

  @Test
  void wait_givenUpWhileItsEndIsTakenBack_isForgotten() {
    JobWait wait = begin(7);
    undoLog.clear();
    ends.removed(7, Total.CANCELLED, batch);
    wait.future().cancel(false);
    ends.abandon(wait);
    ends.takeAbandoned();

    undoLog.undo();

    assertThat(ends.count()).isZero();
    assertThat(ends.isAny()).isFalse();
  }

  @Test
  void wait_givenUpBeforeItBegins_doesNotBegin() {
    JobWait wait = new JobWait();
    wait.future().cancel(false);
    assertThat(ends.abandon(wait)).isTrue();

    ends.begin(wait, job(7));
    ends.takeAbandoned();

    assertThat(ends.isAny()).isFalse();
  }

  @Test
  void abandon_whileOthersAreNotTakenUp_asksNobody() {
    JobWait first = begin(7);
    JobWait second = begin(7);

    assertThat(ends.abandon(first)).isTrue();
    assertThat(ends.abandon(second)).isFalse();
    ends.takeAbandoned();

    assertThat(ends.count()).isZero();
    assertThat(ends.abandon(first)).isTrue();
  }

  @Test
  void room_isThatOfThoseWhoWaitAndAreYetToBeTold() {
    for (int i = 0; i < COUNT_MAX; i++) {
      begin(i);
    }
    ends.removed(0, Total.CANCELLED, batch);
    assertThatThrownBy(ends::requireRoom)
        .isInstanceOf(EngineOverloadedException.class)
        .hasMessageContaining("awaitCountMax=" + COUNT_MAX);

    tell(1, 1);

    ends.requireRoom();
  }

  @Test
  void store_openedAgainWithoutTheCommit_waitGoesOn() {
    JobWait wait = begin(7);
    batch.number = 5;
    ends.removed(7, Total.CANCELLED, batch);
    undoLog.clear();

    ends.reopened(4);

    tell(9, 9);
    assertThat(told).isEmpty();
    assertThat(ends.jobs()).containsExactly(job(7));
    ends.failAll(new IllegalStateException("closed"), told::add);
    assertThat(told).containsExactly(wait);
    wait.give();
    assertThat(wait.future()).isCompletedExceptionally();
  }

  /** What is expected of one wait. */
  private enum Expected {
    AT_JOB,
    ENDED
  }

  @Test
  void histories_ofBeginningsEndsAndBatchesTakenBack_agreeWithASimpleModel() {
    Random random = new Random(7);
    Map<JobWait, Expected> model = new HashMap<>();
    Map<JobWait, Long> jobs = new HashMap<>();
    Set<JobWait> givenUp = new HashSet<>();
    for (int round = 0; round < 3_000; round++) {
      undoLog.clear();
      Map<JobWait, Expected> before = new HashMap<>(model);
      for (int step = random.nextInt(6); step > 0; step--) {
        long birth = random.nextInt(4);
        int what = random.nextInt(4);
        if (what <= 1 && model.size() < COUNT_MAX) {
          JobWait wait = begin(birth);
          jobs.put(wait, birth);
          model.put(wait, Expected.AT_JOB);
        } else if (what == 2) {
          ends.removed(birth, Total.CANCELLED, batch);
          model.replaceAll((wait, is) -> jobs.get(wait) == birth ? Expected.ENDED : is);
        } else if (!model.isEmpty()) {
          JobWait wait = List.copyOf(model.keySet()).get(random.nextInt(model.size()));
          wait.future().cancel(false);
          if (givenUp.add(wait)) {
            ends.abandon(wait);
          }
          ends.takeAbandoned();
          model.remove(wait, Expected.AT_JOB);
        }
      }
      if (random.nextInt(3) == 0) {
        undoLog.undo();
        before
            .keySet()
            .removeIf(wait -> givenUp.contains(wait) && before.get(wait) == Expected.AT_JOB);
        model = before;
      } else {
        tell(batch.number, batch.number - random.nextInt(2));
        batch.number++;
        told.forEach(model::remove);
      }
      assertThat(ends.count()).isEqualTo(model.size());
      assertThat(ends.isAny()).isEqualTo(model.containsValue(Expected.AT_JOB));
    }
    assertThat(told).doesNotHaveDuplicates().hasSizeGreaterThan(100);
  }
}
