package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.QueueName;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.LostAttempts.Line;
import io.millrace.internal.state.LostAttempts.Lost;
import java.util.List;
import org.junit.jupiter.api.Test;

class LostAttemptsTest {

  private static final QueueName MAIL = new QueueName("mail", "acme");

  private final LostAttempts attempts = new LostAttempts();

  private static LeaseEntry lease(long birth, String type, String worker) {
    JobRecord job =
        JobRecord.builder()
            .birth(birth)
            .birthKind(Keyspace.READY)
            .birthPriority(0)
            .priority(0)
            .set(JobField.TYPE, type)
            .build();
    return new LeaseEntry(1, job, birth, new LeaseEntry.Terms(birth, worker, 2, 1, 30_000));
  }

  private void end(long birth, String type, boolean isDead, long atMs) {
    attempts.beginBatch();
    LeaseEntry lease = lease(birth, type, "w1");
    attempts.lost(new Lost(MAIL, lease, 3, isDead, "lease expired", atMs));
    attempts.commitBatch();
  }

  @Test
  void takeDue_oneOfEachKind_hasALineEachAtOnce() {
    end(1, "letter", true, 1_000);
    end(2, "letter", false, 1_000);
    end(3, null, true, 1_000);

    assertThat(attempts.dueAtMs()).isZero();
    assertThat(attempts.takeDue(1_000))
        .containsExactly(
            new Line(
                true,
                "job died: lease expired: queue=mail@acme, type=letter, job="
                    + lease(1, null, "").jobId()
                    + ", worker=w1, attempt=2/3"),
            new Line(
                false,
                "attempt was lost, and the job is tried again: lease expired: queue=mail@acme,"
                    + " type=letter, job="
                    + lease(2, null, "").jobId()
                    + ", worker=w1, attempt=2/3"),
            new Line(
                true,
                "job died: lease expired: queue=mail@acme, type=mail, job="
                    + lease(3, null, "").jobId()
                    + ", worker=w1, attempt=2/3"));
  }

  @Test
  void takeDue_manyOfOneKind_areOneLineAndACountWhenTheirMinuteIsOver() {
    for (int birth = 1; birth <= 5_000; birth++) {
      end(birth, "letter", true, 1_000 + birth);
    }

    assertThat(attempts.takeDue(6_000)).hasSize(1);
    assertThat(attempts.dueAtMs()).isEqualTo(61_001);
    assertThat(attempts.takeDue(61_000)).isEmpty();
    assertThat(attempts.takeDue(61_001))
        .containsExactly(
            new Line(
                true,
                "and 4,999 like it within 60 s: job died: lease expired: type=letter, last="
                    + lease(5_000, null, "").jobId()));
    assertThat(attempts.dueAtMs()).isEqualTo(LostAttempts.NEVER);

    end(9_000, "letter", true, 62_000);
    assertThat(attempts.takeDue(62_000)).hasSize(1);
  }

  @Test
  void takeAll_countsAreNotDueYet_tellsThemToo() {
    end(1, "letter", true, 1_000);
    end(2, "letter", true, 1_000);

    List<Line> lines = attempts.takeAll(4_000);

    assertThat(lines).hasSize(2);
    assertThat(lines.get(1).text()).startsWith("and 1 like it within 3 s: job died: ");
    assertThat(attempts.takeAll(4_000)).isEmpty();
  }

  @Test
  void takeDue_batchNeverHappened_tellsNothing() {
    attempts.beginBatch();
    attempts.lost(new Lost(MAIL, lease(1, null, "w1"), 3, true, "lease expired", 1_000));
    attempts.beginBatch();
    attempts.commitBatch();

    assertThat(attempts.dueAtMs()).isEqualTo(LostAttempts.NEVER);
    assertThat(attempts.takeAll(1_000)).isEmpty();
  }

  @Test
  void takeDue_moreKindsThanAreKept_countsTheOthersAsOne() {
    for (int i = 0; i < 203; i++) {
      end(i, "type " + i, true, 1_000);
    }

    assertThat(attempts.takeDue(1_000)).hasSize(200);
    assertThat(attempts.takeDue(61_000))
        .containsExactly(
            new Line(
                true, "and 3 attempts that ended with their leases, of too many kinds to be told"));
  }

  @Test
  void takeDue_namesWithLineBreaks_areOneLine() {
    attempts.beginBatch();
    LeaseEntry lease = lease(1, "a\nINFO forged", "w\r1\u0085\u2028");
    attempts.lost(new Lost(MAIL, lease, 3, true, "lease expired", 1_000));
    attempts.commitBatch();

    assertThat(attempts.takeDue(1_000).get(0).text())
        .contains("type=a?INFO forged")
        .contains("worker=w?1");
  }
}
