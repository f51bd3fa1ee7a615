package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateTableTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final QueueName PRINT = QueueName.of("print");
  private static final long NOW_MS = 1_700_000_000_000L;

  private final UndoLog undoLog = new UndoLog();
  private final RateTable rates = new RateTable(undoLog, name -> null, 2);

  private static QueueState queue(String name) {
    SharedSettings shared = new SharedSettings.OfAll().join(name);
    shared.setSettings(
        QueueSettings.DEFAULT.rateLimit(RateLimit.of(1, Duration.ofMillis(100)).burst(2)));
    WindowBudget budget = new WindowBudget(1 << 20);
    JobLives lives = new JobLives(new UndoLog(), 1);
    return new QueueState(QueueName.of(name), shared, budget, budget, new EngineTotals(lives));
  }

  private static LeaseEntry lease(long token) {
    JobRecord job =
        JobRecord.builder().birth(token).birthKind(Keyspace.READY).enqueuedAtMs(1).build();
    return new LeaseEntry(1, job, token, new LeaseEntry.Terms(token, "worker", 1, 1, 30_000));
  }

  @Test
  void moreBucketsThanAreKept_theOldestCountsAsFull() {
    for (String name : new String[] {"a", "b", "c"}) {
      rates.take(queue(name), lease(1), NOW_MS);
      rates.take(queue(name), lease(2), NOW_MS);
    }

    assertThat(rates.size()).isEqualTo(2);
    assertThat(rates.nextTokenMs(queue("a"), NOW_MS)).isEqualTo(NOW_MS);
    assertThat(rates.nextTokenMs(queue("b"), NOW_MS)).isEqualTo(NOW_MS + 100);
    assertThat(rates.nextTokenMs(queue("c"), NOW_MS)).isEqualTo(NOW_MS + 100);
  }

  @Test
  void undo_takesAndGivesBackWhatTheBatchDid() {
    LeaseEntry before = lease(1);
    rates.take(queue("mail"), before, NOW_MS);
    undoLog.clear();
    rates.take(queue("mail"), lease(2), NOW_MS);
    rates.giveBack(queue("mail"), before, NOW_MS);
    rates.take(queue("mail"), lease(3), NOW_MS);
    assertThat(rates.nextTokenMs(queue("mail"), NOW_MS)).isEqualTo(NOW_MS + 100);

    undoLog.undo();

    assertThat(rates.nextTokenMs(queue("mail"), NOW_MS)).isEqualTo(NOW_MS);
    rates.take(queue("mail"), lease(4), NOW_MS);
    assertThat(rates.nextTokenMs(queue("mail"), NOW_MS)).isEqualTo(NOW_MS + 100);
  }

  @Test
  void undo_leaseThatWasTold_keepsWhatItTook() {
    LeaseEntry told = lease(1);
    rates.take(queue("mail"), told, NOW_MS);
    rates.take(queue("mail"), lease(2), NOW_MS);
    told.start(5);

    undoLog.undo();

    rates.take(queue("mail"), lease(3), NOW_MS);
    assertThat(rates.nextTokenMs(queue("mail"), NOW_MS)).isEqualTo(NOW_MS + 100);
  }

  @Test
  void wakeAt_severalTimes_isTheEarliestAndComesBackWithItsBatch() {
    rates.wakeAt(MAIL, 30);
    rates.wakeAt(MAIL, 10);
    rates.wakeAt(MAIL, 20);
    rates.wakeAt(PRINT, 15);

    assertThat(rates.nextWakeMs()).isEqualTo(10);
    assertThat(rates.takeWoken(20, 1)).containsExactly(MAIL);
    assertThat(rates.takeWoken(20, 9)).containsExactly(PRINT);
    assertThat(rates.nextWakeMs()).isEqualTo(RateTable.NEVER);
    undoLog.undo();
    assertThat(rates.takeWoken(14, 9)).containsExactly(MAIL);
    assertThat(rates.nextWakeMs()).isEqualTo(15);
  }
}
