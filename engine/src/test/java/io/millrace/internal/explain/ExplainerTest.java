package io.millrace.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.BatchId;
import io.millrace.api.EngineHealth.Status;
import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Ahead;
import io.millrace.api.Explanation.Reason;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.internal.explain.EngineFacts.Claims;
import io.millrace.internal.explain.EngineFacts.Known;
import io.millrace.internal.explain.EngineFacts.Presence;
import io.millrace.internal.explain.EngineFacts.Refusal;
import io.millrace.internal.explain.JobFacts.Attempts;
import io.millrace.internal.explain.JobFacts.AwaitedBatch;
import io.millrace.internal.explain.JobFacts.Before;
import io.millrace.internal.explain.JobFacts.Held;
import io.millrace.internal.explain.JobFacts.Key;
import io.millrace.internal.explain.JobFacts.KeyHolder;
import io.millrace.internal.explain.JobFacts.Line;
import io.millrace.internal.explain.JobFacts.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is put together of a view and a look into memory that are not of one moment, and words. */
class ExplainerTest {

  private static final long NOW_MS = 1_700_000_000_000L;
  private static final QueueName MAIL = QueueName.of("mail");
  private static final JobId ID = new JobId(1, 2);
  private static final Attempts FRESH = new Attempts(0, 20, null);
  private static final Claims NOBODY = new Claims(false, 0, 0, 0, 0, 0);

  private static JobFacts ready(Line line) {
    return facts(JobState.READY, new What(null, null, null, line), 0);
  }

  private static JobFacts leased(Held lease) {
    return facts(JobState.LEASED, new What(lease, null, null, null), 0);
  }

  private static JobFacts blocked(Key key) {
    return facts(JobState.BLOCKED, new What(null, null, key, null), 0);
  }

  /** What there is of a job in its state. */
  private record What(
      @Nullable Held lease, @Nullable Wait waiting, @Nullable Key key, @Nullable Line line) {}

  private static JobFacts facts(JobState state, What what, long expireAtMs) {
    return new JobFacts(
        ID,
        MAIL,
        state,
        7,
        70,
        1,
        FRESH,
        what.lease(),
        0,
        expireAtMs,
        what.waiting(),
        what.key(),
        what.line(),
        false,
        null,
        null);
  }

  private static JobFacts waiting(JobFacts.Signal signal) {
    return waiting(signal, null);
  }

  private static JobFacts waiting(AwaitedBatch batch) {
    return waiting(null, batch);
  }

  private static JobFacts waiting(JobFacts.@Nullable Signal signal, @Nullable AwaitedBatch batch) {
    JobFacts plain = facts(JobState.WAITING, new What(null, null, null, null), 0);
    return new JobFacts(
        plain.jobId(),
        plain.queue(),
        plain.state(),
        plain.commit(),
        plain.birth(),
        plain.weight(),
        plain.attempts(),
        null,
        0,
        0,
        null,
        null,
        null,
        true,
        signal,
        batch);
  }

  private static Line line(long sequence, Long... births) {
    return new Line(0, sequence, 3, List.of(births), true, null, null, QueueSettings.DEFAULT);
  }

  private static Held held(long token, long untilMs) {
    return new Held(token, "w" + token, 1, NOW_MS - 2_000, untilMs, false);
  }

  private static EngineFacts knowing(long commit, @Nullable Held lease, long leaseSequence) {
    Known known = new Known(commit, lease, leaseSequence, Set.of(11L), 1, null, NOBODY, 0, null);
    return new EngineFacts(Presence.ANSWERED, null, 0, known);
  }

  private static List<String> sentences(JobFacts job, EngineFacts engine) {
    return Explainer.explain(job, engine, NOW_MS).reasons().stream().map(Reason::sentence).toList();
  }

  private static EngineFacts refusing(Status status) {
    return new EngineFacts(Presence.ANSWERED, new Refusal(status, NOW_MS, "why\nnot"), 0, null);
  }

  @ParameterizedTest
  @CsvSource({"999, NeverStarts", "1000, NeverStarts", "1001, Expires"})
  void delayedWithATimeToLive_startsUnlessThatEndsNoLaterThanTheWait(long liveMs, String told) {
    JobFacts job =
        facts(
            JobState.DELAYED,
            new What(null, new Wait(NOW_MS + 1_000, true, Before.ENQUEUED), null, null),
            NOW_MS + liveMs);

    assertThat(Explainer.explain(job, knowing(7, null, 0), NOW_MS).reasons())
        .extracting(reason -> reason.getClass().getSimpleName())
        .contains(told)
        .doesNotContain(told.equals("Expires") ? "NeverStarts" : "Expires");
  }

  @Test
  void readyInTheStore_leasedInMemoryAtThatPlace_isRunning() {
    Explanation told =
        Explainer.explain(ready(line(5)), knowing(7, held(9, NOW_MS + 1_000), 5), NOW_MS);

    assertThat(told.state()).isEqualTo(JobState.LEASED);
    assertThat(told.reasons())
        .extracting(Reason::sentence)
        .containsExactly(
            "is run by w9 since 2023-11-14T22:13:18Z (for 2 s), attempt 1 of 20; its lease ends at"
                + " 2023-11-14T22:13:21Z (in 1 s) unless it is extended");
  }

  @Test
  void readyInTheStore_leasedInMemoryAtAnotherPlace_isReady() {
    Explanation told = Explainer.explain(ready(line(5)), knowing(7, held(9, NOW_MS), 4), NOW_MS);

    assertThat(told.state()).isEqualTo(JobState.READY);
  }

  @Test
  void leasedInTheStore_anotherLeaseInMemory_isToldAsStored() {
    JobFacts job = leased(held(8, 0));

    assertThat(sentences(job, knowing(9, held(9, NOW_MS), 5)))
        .containsExactly("is run by w8 since 2023-11-14T22:13:18Z (for 2 s), attempt 1 of 20");
    assertThat(Explainer.isApart(job, knowing(9, null, -1).known())).isTrue();
    assertThat(Explainer.isApart(job, knowing(7, null, -1).known())).isFalse();
  }

  @Test
  void leaseThatRanOut_isAboutToBeTakenBack() {
    JobFacts job = leased(held(8, 0));

    assertThat(sentences(job, knowing(7, held(8, NOW_MS - 5), 5)))
        .containsExactly(
            "is run by w8 since 2023-11-14T22:13:18Z (for 2 s), attempt 1 of 20; its lease ended"
                + " at 2023-11-14T22:13:19.995Z (5 ms ago) and is about to be taken back");
  }

  @Test
  void place_ofOneCommit_countsWhatMemoryKnowsAndElseWhatIsStored() {
    JobFacts job = ready(line(5, 10L, 11L, 12L));

    assertThat(sentences(job, knowing(7, null, -1)))
        .first()
        .isEqualTo("is in line: 3 jobs are before it");
    assertThat(sentences(job, knowing(8, null, -1)))
        .first()
        .isEqualTo("is in line: 5 jobs are before it");
    assertThat(sentences(job, EngineFacts.NONE))
        .last()
        .isEqualTo("is in line: 6 jobs are before it");
  }

  @Test
  void delayed_timeHasCome_isAboutToBeReady() {
    JobFacts job =
        facts(
            JobState.DELAYED,
            new What(null, new Wait(NOW_MS - 30, true, Before.ENQUEUED), null, null),
            0);

    assertThat(sentences(job, knowing(7, null, -1)))
        .containsExactly(
            "has waited until 2023-11-14T22:13:19.970Z (30 ms ago) and is about to be ready: it was"
                + " enqueued or rescheduled so");
    assertThat(Explainer.explain(job, EngineFacts.NONE, NOW_MS).earliest()).isEmpty();
  }

  @Test
  void waiting_forASignal_saysForWhichAndUntilWhen() {
    JobFacts forEver = waiting(new JobFacts.Signal("go", NOW_MS - 60_000, 0));
    JobFacts aWhile = waiting(new JobFacts.Signal("go", NOW_MS - 60_000, NOW_MS + 5_000));
    JobFacts over = waiting(new JobFacts.Signal("go", NOW_MS - 60_000, NOW_MS - 5));

    assertThat(sentences(forEver, knowing(7, null, -1)))
        .containsExactly(
            "waits for the signal \"go\" since 2023-11-14T22:12:20Z (for 1 min), without a"
                + " deadline");
    assertThat(sentences(aWhile, knowing(7, null, -1)))
        .containsExactly(
            "waits for the signal \"go\" since 2023-11-14T22:12:20Z (for 1 min), until"
                + " 2023-11-14T22:13:25Z (in 5 s) at the latest");
    assertThat(sentences(over, knowing(7, null, -1)))
        .containsExactly(
            "waits for the signal \"go\" since 2023-11-14T22:12:20Z (for 1 min): its deadline"
                + " passed at 2023-11-14T22:13:19.995Z (5 ms ago), and it is about to go on");
    assertThat(Explainer.explain(aWhile, EngineFacts.NONE, NOW_MS).earliest()).isEmpty();
  }

  @Test
  void waiting_forABatch_saysHowFarThatIs() {
    BatchId id = new BatchId(10);

    assertThat(batchSentence(new AwaitedBatch(id, true, "import", 2_000, 0, List.of(), true)))
        .isEqualTo("waits for the batch \"import\" (000000000000000a): 2,000 of its jobs are left");
    assertThat(batchSentence(new AwaitedBatch(id, true, "", 1, 3, List.of(ID), false)))
        .isEqualTo(
            "waits for the batch 000000000000000a: 1 of its jobs is left, 3 are dead ("
                + ID
                + ", and 2 more); it is not sealed, and cannot be over before seal is called");
    assertThat(batchSentence(new AwaitedBatch(id, true, "", 0, 0, List.of(), false)))
        .isEqualTo(
            "waits for the batch 000000000000000a: none of its jobs is left; it is not sealed, and"
                + " cannot be over before seal is called");
  }

  @Test
  void waiting_forABatchThatIsOver_saysWhyNotYet() {
    BatchId id = new BatchId(10);

    assertThat(batchSentence(new AwaitedBatch(id, true, "a\nb", 0, 1, List.of(ID), true)))
        .isEqualTo(
            "waits for the batch \"a\" (000000000000000a): none of its jobs is left, 1 is dead ("
                + ID
                + "); the job waits for these to be redriven, and is cancelled if they are"
                + " removed");
    assertThat(batchSentence(new AwaitedBatch(id, true, "", 0, 0, List.of(), true)))
        .isEqualTo(
            "waits for the batch 000000000000000a: none of its jobs is left, and the job is about"
                + " to go on");
    assertThat(batchSentence(AwaitedBatch.unknown(id)))
        .isEqualTo("waits for the batch 000000000000000a, which cannot be read");
  }

  private static String batchSentence(AwaitedBatch batch) {
    List<String> sentences = sentences(waiting(batch), knowing(7, null, -1));
    assertThat(sentences).hasSize(1);
    return sentences.get(0);
  }

  @Test
  void timeToLiveHasEnded_isAboutToBeRemoved() {
    JobFacts job = facts(JobState.READY, new What(null, null, null, line(5)), NOW_MS - 1_000);

    assertThat(sentences(job, EngineFacts.NONE))
        .last()
        .isEqualTo(
            "is about to be removed: its time to live ended at 2023-11-14T22:13:19Z (1 s ago)");
  }

  @Test
  void engineThatRefuses_saysSinceWhenAndWhy() {
    JobFacts job = ready(line(5));

    assertThat(sentences(job, refusing(Status.NOT_OWNER)))
        .first()
        .isEqualTo("its engine has taken no changes since 2023-11-14T22:13:20Z: why");
    assertThat(sentences(job, refusing(Status.CLOSED)))
        .first()
        .isEqualTo("its engine is being closed");
  }

  @Test
  void keyWithAFreeSlot_isAboutToBeHandedOn() {
    Key key = new Key("ada\u202e", false, 3, 1, List.of(), new Ahead(0, true));

    assertThat(sentences(blocked(key), refusing(Status.UP)))
        .last()
        .isEqualTo(
            "is blocked by its concurrency key \"ada\": 1 job of it is ready or running, and 3 may"
                + " be: a slot is about to be handed on; it is the next of the key");
  }

  @Test
  void keyWithManyHolders_namesFive() {
    List<KeyHolder> holders = new ArrayList<>();
    for (int i = 1; i <= 7; i++) {
      holders.add(
          new KeyHolder(new JobId(0, i), MAIL, i, i == 1 ? JobState.LEASED : JobState.READY));
    }
    Key key = new Key("ada", false, 9, 9, holders, new Ahead(2, true));

    assertThat(sentences(blocked(key), knowing(7, null, -1)))
        .containsExactly(
            "is blocked by its concurrency key \"ada\": 9 jobs of it are ready or running ("
                + "00000000000000000000000000000001 runs, "
                + "00000000000000000000000000000002 is ready, "
                + "00000000000000000000000000000003 is ready, "
                + "00000000000000000000000000000004 is ready, "
                + "00000000000000000000000000000005 is ready, and 4 more), as many as may be; 2"
                + " jobs of the key are before it");
  }

  @Test
  void jobThatNothingHolds_isServedNext() {
    Known known =
        new Known(7, null, -1, Set.of(), 0, null, new Claims(true, 2, 1, 9, 9, 0), 0, null);

    assertThat(
            sentences(
                ready(new Line(0, 5, 0, List.of(), true, null, null, QueueSettings.DEFAULT)),
                new EngineFacts(Presence.ANSWERED, null, 0, known)))
        .containsExactly("claims wait for its queue, and may take it with the engine's next step");
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0 ms",
    "0, 0 ms",
    "999, 999 ms",
    "1000, 1 s",
    "59999, 59 s",
    "60000, 1 min",
    "185000, 3 min 5 s",
    "3600000, 1 h",
    "7800000, 2 h 10 min",
    "371100000, 4 d 7 h"
  })
  void span_ofAnyLength_hasTwoUnitsAtMost(long ms, String text) {
    assertThat(Sentences.span(ms)).isEqualTo(text);
  }

  @Test
  void line_ofAnyText_isOneShortPlainLine() {
    assertThat(Sentences.line("x".repeat(201))).isEqualTo("x".repeat(200) + "\u2026");
    assertThat(Sentences.line("x".repeat(200))).isEqualTo("x".repeat(200));
    assertThat(Sentences.line("  \nfirst\u2028second")).isEqualTo("first");
    assertThat(Sentences.line("a\u0007b\u202ec\ud83d\ude82\ud83d")).isEqualTo("a b c\ud83d\ude82");
    assertThat(Sentences.line(null)).isEmpty();
  }
}
