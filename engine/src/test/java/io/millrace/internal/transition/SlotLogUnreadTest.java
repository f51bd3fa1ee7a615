package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.spi.ReadView;
import io.millrace.spi.ScanSize;
import io.millrace.spi.StoreException;
import io.millrace.spi.testkit.ForwardingView;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A row of the log is damaged, and the jobs cannot be read for their keys to be counted: others in
 * the batch must not take what is left of the log for all.
 */
final class SlotLogUnreadTest {

  private static final int JOB_COUNT = 5;

  private final TransitionRig rig = new TransitionRig();

  /** A view of which the line of ready jobs cannot be read. */
  private static final class LineUnread extends ForwardingView {

    LineUnread(ReadView view) {
      super(view);
    }

    @Override
    public int scan(byte[] startInclusive, byte[] endExclusive, ScanSize size, RowVisitor visitor) {
      if (startInclusive[0] == Keyspace.READY.code()) {
        throw new StoreException("rows cannot be read");
      }
      return super.scan(startInclusive, endExclusive, size, visitor);
    }
  }

  @BeforeEach
  void damageLog() {
    rig.apply(new Enqueue(MAIL, IntStream.range(0, JOB_COUNT).mapToObj(this::job).toList()));
    rig.damage(rig.keys(Keyspace.SLOT).get(0));
    rig.unload();
  }

  @AfterEach
  void close() {
    assertThat(rig.problems()).isEmpty();
    rig.close();
  }

  private NewJob job(int key) {
    return new NewJob(
        ("job " + key).getBytes(UTF_8), EnqueueOptions.DEFAULT.concurrencyKey("key " + key));
  }

  private void fail(Transition<?> transition) {
    try (ReadView view = new LineUnread(rig.store.read())) {
      OpenBatch batch = rig.begin(view);
      assertThatThrownBy(() -> rig.applyTo(batch, transition, Durability.SYNCED))
          .isInstanceOf(StoreException.class);
      assertThat(batch.writes().isEmpty()).isTrue();
    }
  }

  @Test
  void enqueue_linesUnread_leavesTheLogAsItIs() {
    fail(new Enqueue(MAIL, List.of(job(0))));

    rig.apply(new Enqueue(MAIL, List.of(job(0))));

    assertThat(rig.count(JobState.BLOCKED)).isEqualTo(1);
  }
}
