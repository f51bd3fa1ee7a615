package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.DeadFilter;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.api.Result;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.StoreKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/** All of many jobs, while they change. */
@Tag("calls")
class PageStreamTrapsTest extends TrapTest {

  /** More than two pages of a stream. */
  private static final int COUNT = 501;

  /** Every so manieth is removed; the last of a page is among them. */
  private static final int EACH = 100;

  @ParameterizedTest
  @EachStoreKind
  void stream_ofAllCalls_hasEverythingOnceAlsoIfSomeIsRemovedMeanwhile(StoreKind kind) {
    JobQueues jobs = start(kind).queues();
    JobQueue mail = jobs.queue("mail");
    List<JobId> enqueued = new ArrayList<>();
    mail.enqueueAll(Collections.nCopies(COUNT, NewJob.of(new byte[1])))
        .forEach(each -> enqueued.add(each.jobId()));

    List<JobId> seen = new ArrayList<>();
    Page.stream(page -> jobs.list(JobFilter.ALL.state(JobState.READY), page))
        .map(Job::id)
        .peek(seen::add)
        .filter(id -> seen.size() % EACH == 0)
        .forEach(id -> jobs.cancel(id).orThrow());

    assertThat(seen).isEqualTo(enqueued);
    assertThat(Page.stream(page -> mail.peek(JobState.READY, page))).hasSize(COUNT - COUNT / EACH);
    assertThat(Page.stream(jobs::queues)).containsExactly(QueueName.of("mail"));
  }

  @ParameterizedTest
  @EachStoreKind
  void stream_ofDeadLetters_endsEarlyAndMayBeginAnew(StoreKind kind) {
    JobQueues jobs = start(kind).queues();
    JobQueue mail = jobs.queue("mail");
    mail.enqueueAll(Collections.nCopies(COUNT, NewJob.of(new byte[1])));
    List<Lease> leases = claim(mail, COUNT);
    jobs.failAll(leases, "broken", FailOptions.PERMANENT).forEach(Result::orThrow);

    List<JobId> some =
        Page.stream(page -> mail.deadLetters().list(DeadFilter.ALL, page))
            .limit(COUNT - 1)
            .map(Job::id)
            .toList();

    assertThat(some).isEqualTo(leases.subList(0, COUNT - 1).stream().map(Lease::jobId).toList());
    assertThat(Page.stream(page -> mail.deadLetters().list(DeadFilter.ALL, page))).hasSize(COUNT);
  }
}
