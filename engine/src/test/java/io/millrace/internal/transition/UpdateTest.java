package io.millrace.internal.transition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.CorruptDataException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.Payload;
import io.millrace.internal.transition.due.MoveDue;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.job.Redrive;
import io.millrace.internal.transition.job.Update;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.lease.Release;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UpdateTest {

  private static final String LARGE = "x".repeat(Payload.INLINE_BYTES_MAX + 1);
  private static final UpdateOptions NOTHING = UpdateOptions.NOTHING;

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private UpdateResult update(JobId id, UpdateOptions options) {
    return rig.apply(new Update(id, options));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private List<String> claimed(int max) {
    return rig.claim(max).stream()
        .map(grant -> new String(((Payload.Inline) grant.job().payload()).payload(), UTF_8))
        .toList();
  }

  @Test
  void priority_ofAReadyJob_goesToTheBackOfTheNewOne() {
    JobId first = rig.enqueue("first");
    rig.enqueue("second");
    rig.enqueue("high", EnqueueOptions.DEFAULT.priority(5));

    UpdateResult result = update(first, NOTHING.priority(5));

    assertThat(result).isEqualTo(UpdateResult.UPDATED);
    assertThat(rig.lastPuts()).isEqualTo("[COUNTERS, MOVED, READY]");
    assertThat(rig.lastDeletes()).isEqualTo("[READY]");
    assertThat(rig.problems()).isEmpty();
    assertThat(rig.payloads(JobState.READY)).containsExactly("high", "first", "second");
    assertThat(claimed(10)).containsExactly("high", "first", "second");
    assertThat(rig.job(first).priority()).isEqualTo(5);
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void priority_thatTheJobHas_keepsItsPlaceAndWritesNothing() {
    JobId first = rig.enqueue("first");
    rig.enqueue("second");

    UpdateResult result = update(first, NOTHING.priority(0));

    assertThat(result).isEqualTo(UpdateResult.UPDATED);
    assertThat(rig.lastPuts()).isEqualTo("[]");
    assertThat(rig.payloads(JobState.READY)).containsExactly("first", "second");
  }

  @Test
  void priority_ofADelayedJob_countsWhenItIsReady() {
    JobId id = rig.enqueue("late", EnqueueOptions.DEFAULT.delay(ofSeconds(1)));
    rig.enqueue("now");

    UpdateResult result = update(id, NOTHING.priority(7));

    assertThat(result).isEqualTo(UpdateResult.UPDATED);
    assertThat(rig.lastPuts()).isEqualTo("[DELAYED]");
    rig.nowMs += 1_000;
    rig.apply(new MoveDue());
    assertThat(claimed(10)).containsExactly("late", "now");
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void everything_ofADeadLetter_countsAfterItsRedrive() {
    JobId id = rig.enqueue("broken");
    rig.die();

    UpdateResult result =
        update(id, NOTHING.payload(bytes("mended")).priority(-3).weight(4).maxAttempts(9));

    assertThat(result).isEqualTo(UpdateResult.UPDATED);
    assertThat(rig.lastPuts()).isEqualTo("[DEAD]");
    assertThat(rig.job(id).state()).isEqualTo(JobState.DEAD);
    rig.apply(new Redrive(List.of(id)));
    Job job = rig.job(id);
    assertThat(job.payload()).isEqualTo(bytes("mended"));
    assertThat(job.priority()).isEqualTo(-3);
    assertThat(job.weight()).isEqualTo(4);
    assertThat(job.maxAttempts()).isEqualTo(9);
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void priority_ofABlockedJob_goesToTheBackOfTheNewOne() {
    rig.enqueue("holder", EnqueueOptions.DEFAULT.concurrencyKey("key"));
    JobId first = rig.enqueue("first", EnqueueOptions.DEFAULT.concurrencyKey("key"));
    JobId second = rig.enqueue("second", EnqueueOptions.DEFAULT.concurrencyKey("key"));

    UpdateResult result = update(first, NOTHING.priority(-1));
    update(second, NOTHING.weight(9));

    assertThat(result).isEqualTo(UpdateResult.UPDATED);
    assertThat(rig.payloads(JobState.BLOCKED)).containsExactly("second", "first");
    assertThat(rig.job(first).priority()).isEqualTo(-1);
    assertThat(rig.job(second).weight()).isEqualTo(9);
    assertThat(rig.stats().count(JobState.BLOCKED)).isEqualTo(2);
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void payload_ofAReadyJobInTheWindow_keepsItsPlaceAndIsServedAnew() {
    JobId first = rig.enqueue("first", EnqueueOptions.DEFAULT.headers(Map.of("k", "v")));
    rig.enqueue("second");

    UpdateResult result = update(first, NOTHING.payload(bytes("changed")));

    assertThat(result).isEqualTo(UpdateResult.UPDATED);
    assertThat(rig.lastPuts()).isEqualTo("[READY]");
    assertThat(rig.lastDeletes()).isEqualTo("[]");
    assertThat(rig.job(first).headers()).isEqualTo(Map.of("k", "v"));
    assertThat(claimed(10)).containsExactly("changed", "second");
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void payload_ofAJobThatIsClaimedNext_keepsTheClaimWaitingForThisCommit() {
    JobId id = rig.enqueue("a");
    rig.enqueue("b");
    update(id, NOTHING.payload(bytes("changed")));
    long updateCommit = rig.lastCommit();

    rig.claim();

    assertThat(rig.lastAnswerCommit()).isEqualTo(updateCommit);
  }

  @Test
  void payload_thatGrowsLarge_goesToABlobOfTheNextVersionAndBack() {
    JobId id = rig.enqueue(LARGE, EnqueueOptions.DEFAULT.headers(Map.of("k", "v")));

    update(id, NOTHING.payload(bytes(LARGE + "2")));

    assertThat(rig.lastPuts()).isEqualTo("[BLOB, READY]");
    assertThat(rig.lastDeletes()).isEqualTo("[BLOB]");
    assertThat(rig.job(id).payload()).isEqualTo(bytes(LARGE + "2"));
    assertThat(rig.job(id).headers()).isEqualTo(Map.of("k", "v"));
    assertThat(rig.problems()).isEmpty();
    update(id, NOTHING.payload(bytes("small")));
    assertThat(rig.lastPuts()).isEqualTo("[READY]");
    assertThat(rig.lastDeletes()).isEqualTo("[BLOB]");
    assertThat(rig.job(id).payload()).isEqualTo(bytes("small"));
    assertThat(rig.job(id).headers()).isEqualTo(Map.of("k", "v"));
    assertThat(rig.problems()).isEmpty();
    assertThat(((Payload.InBlob) payloadAfter(id, LARGE)).version()).isEqualTo(1);
    assertThat(((Payload.InBlob) payloadAfter(id, LARGE + "3")).version()).isEqualTo(2);
    assertThat(rig.problems()).isEmpty();
  }

  /** The payload as a claim gets it; the lease is handed back. */
  private Payload payloadAfter(JobId id, String payload) {
    update(id, NOTHING.payload(bytes(payload)));
    Grant grant = rig.claim();
    rig.apply(new Release(List.of(TransitionRig.ref(grant))));
    return grant.job().payload();
  }

  @Test
  void headers_ofALargePayload_leaveThePayloadAlone() {
    JobId id = rig.enqueue(LARGE);

    UpdateResult result = update(id, NOTHING.headers(Map.of("a", "1")));

    assertThat(result).isEqualTo(UpdateResult.UPDATED);
    assertThat(rig.job(id).headers()).isEqualTo(Map.of("a", "1"));
    assertThat(rig.job(id).payload()).isEqualTo(bytes(LARGE));
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void headers_ofALargePayloadThatIsDamaged_areRefusedAndNothingChanges() {
    JobId id = rig.enqueue(LARGE);
    JobAddress address = JobAddress.of(id).orElseThrow();
    rig.put(BlobKeys.key(address.queue(), address.birth(), 1), bytes("rubbish"));

    assertThatThrownBy(() -> update(id, NOTHING.headers(Map.of("a", "1"))))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("keyspace=BLOB");

    assertThat(rig.payloads(JobState.DELAYED)).isEmpty();
    assertThat(update(id, NOTHING.headers(Map.of("a", "1")).payload(bytes("new"))))
        .isEqualTo(UpdateResult.UPDATED);
    assertThat(rig.job(id).payload()).isEqualTo(bytes("new"));
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void retryRules_ofAReadyJob_holdFromTheNextAttempt() {
    JobId id = rig.enqueue("a");

    update(
        id,
        NOTHING.maxAttempts(1).backoff(Backoff.fixed(ofSeconds(9))).leaseDuration(ofMinutes(5)));

    Job job = rig.job(id);
    assertThat(job.maxAttempts()).isEqualTo(1);
    assertThat(job.backoff()).isEqualTo(Backoff.fixed(ofSeconds(9)));
    Grant grant = rig.claim();
    assertThat(grant.job().leaseMs()).isEqualTo(300_000);
    assertThat(rig.apply(new Fail(List.of(TransitionRig.ref(grant)), "broken", FailOptions.RETRY)))
        .containsExactly(new FailResult.Died());
  }

  @Test
  void nothing_isNoChange() {
    JobId id = rig.enqueue("a");

    UpdateResult result = update(id, NOTHING);

    assertThat(result).isEqualTo(UpdateResult.UPDATED);
    assertThat(rig.lastPuts()).isEqualTo("[]");
  }

  @Test
  void update_leasedJob_isRunningAndStays() {
    JobId id = rig.enqueue("a");
    rig.claim();

    UpdateResult result = update(id, NOTHING.priority(3).payload(bytes("b")));

    assertThat(result).isEqualTo(UpdateResult.RUNNING);
    assertThat(rig.lastPuts()).isEqualTo("[]");
    assertThat(rig.job(id).payload()).isEqualTo(bytes("a"));
  }

  @Test
  void update_jobThatIsGone_isGone() {
    JobId id = rig.enqueue("a");
    rig.apply(Cancel.ifWaiting(id));

    UpdateResult result = update(id, NOTHING.priority(3));

    assertThat(result).isEqualTo(UpdateResult.GONE);
    assertThat(rig.lastPuts()).isEqualTo("[]");
  }

  @Test
  void update_jobBehindAWindowWithoutRoom_isServedAnew() {
    try (TransitionRig small = new TransitionRig(1)) {
      small.enqueue("first");
      JobId second = small.enqueue("second");
      small.enqueue("third");

      small.apply(new Update(second, NOTHING.payload(bytes("changed"))));

      assertThat(small.claim(10))
          .extracting(
              grant -> new String(((Payload.Inline) grant.job().payload()).payload(), UTF_8))
          .containsExactly("first", "changed", "third");
      assertThat(small.problems()).isEmpty();
    }
  }

  @Test
  void update_batchThatNeverHappened_servesTheJobAsItWas() {
    JobId id = rig.enqueue("a");

    rig.applyInVain(new Update(id, NOTHING.payload(bytes("b")).priority(4)));

    assertThat(claimed(10)).containsExactly("a");
    assertThat(rig.problems()).isEmpty();
  }
}
