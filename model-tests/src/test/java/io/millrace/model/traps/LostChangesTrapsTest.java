package io.millrace.model.traps;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.QueueSettings;
import io.millrace.api.UpdateOptions;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import io.millrace.test.TestEngine;
import io.millrace.worker.Schedule;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A function that changes immutable options, and answers those that it was given. */
@InProcess("what a store's faults do, whoever calls")
class LostChangesTrapsTest extends TrapTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final byte[] BYTES = new byte[1];

  private static <T> UnaryOperator<T> losing(UnaryOperator<T> change) {
    return given -> {
      assertThat(change.apply(given)).isNotSameAs(given);
      return given;
    };
  }

  private static final UnaryOperator<EnqueueOptions> LATER = losing(o -> o.delay(ofHours(1)));
  private static final UnaryOperator<QueueSettings> SHALLOW = losing(o -> o.depthMax(1));

  @Test
  void everyCall_changeIsThrownAway_isRefusedAndNothingHappened() {
    JobQueues jobs = start(StoreKind.MEMORY).queues();
    JobQueue queue = jobs.queue("mail");
    Map<String, Consumer<JobQueues>> calls =
        Map.ofEntries(
            Map.entry("configure", all -> queue.configure(SHALLOW)),
            Map.entry("configure a name", all -> all.admin().configure("mail", SHALLOW)),
            Map.entry("enqueue typed", all -> all.enqueue(MAIL, "ada", LATER)),
            Map.entry("offer typed", all -> all.offer(MAIL, "ada", LATER).orThrow()),
            Map.entry("enqueue typed later", all -> all.enqueueAsync(MAIL, "ada", LATER).join()),
            Map.entry(
                "enqueue all",
                all -> all.enqueueAll(MAIL, List.of("ada"), (to, o) -> LATER.apply(o))),
            Map.entry(
                "submit typed",
                all -> Dropped.result(all.submit(MAIL.returning(Codec.TEXT), "ada", LATER))),
            Map.entry(
                "in a transaction",
                all -> all.inTransaction(tx -> tx.enqueue(MAIL, "ada", LATER)).orThrow()),
            Map.entry("defaults", all -> MAIL.defaults(LATER)),
            Map.entry("new job", all -> MAIL.newJob("ada", LATER)),
            Map.entry("schedule", all -> Schedule.every("s", ofHours(1)).enqueue(MAIL, "", LATER)),
            Map.entry(
                "test engine",
                all -> TestEngine.create(TestEngine.START_DEFAULT, losing(o -> o.ringSize(4)))));

    calls.forEach(
        (name, call) ->
            assertThatThrownBy(() -> call.accept(jobs))
                .as(name)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("changes of options are lost: made=1, in the answer=0"));

    assertThat(queue.stats()).isEmpty();
    assertThat(queue.settings()).isEqualTo(QueueSettings.DEFAULT);
  }

  @Test
  void update_changeIsThrownAway_isRefusedAndTheJobStays() {
    JobQueues jobs = start(StoreKind.MEMORY).queues();
    JobId id = jobs.enqueue(MAIL, "ada").jobId();

    assertThatThrownBy(() -> jobs.update(id, losing((UpdateOptions o) -> o.priority(3))).orThrow())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("options=UpdateOptions");

    assertThat(jobs.get(id).orElseThrow().priority()).isZero();
  }
}
