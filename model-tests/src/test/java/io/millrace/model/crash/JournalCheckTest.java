package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.api.JobState;
import io.millrace.model.crash.Findings.Figure;
import io.millrace.model.crash.Op.Reply;
import org.junit.jupiter.api.Test;

/**
 * The check finds each kind of violation, and nothing else: one that finds nothing proves nothing.
 */
class JournalCheckTest {

  private static final String A = "mail:0:p:1";
  private static final String B = "mail:0:p:2";
  private static final String HIGH = "mail:1:p:3";

  private final JournalScript journal = new JournalScript();

  @Test
  void check_jobsAreServedInOrderAndCompleted_findsNothing() {
    journal.fresh().enqueued(A, B).claimed(A).done(Op.COMPLETE, A).killed();
    journal.begin().found(B, JobState.READY, 0, 0).observed().claimed(B).done(Op.COMPLETE, B);
    journal.stopped().fresh();

    Findings findings = journal.check();

    assertThat(findings.messages()).isEmpty();
    assertThat(findings.figure(Figure.JOBS)).isEqualTo(2);
    assertThat(findings.figure(Figure.SERVED)).isEqualTo(2);
    assertThat(findings.figure(Figure.ANSWERS)).isEqualTo(4);
  }

  @Test
  void check_acknowledgedJobIsNotThere_isLost() {
    journal.fresh().enqueued(A).killed().fresh();

    assertFound(Finding.LOST);
  }

  @Test
  void check_acknowledgedJobIsNeverServed_isStranded() {
    journal.fresh().enqueued(A).stopped().begin().found(A, JobState.READY, 0, 0).observed();

    assertFound(Finding.STRANDED);
  }

  @Test
  void check_jobNobodyAskedFor_isUnexpected() {
    journal.fresh().killed().begin().found(A, JobState.DEAD, 1, 0).observed();

    assertFound(Finding.UNEXPECTED);
  }

  @Test
  void check_jobNobodyAskedForIsServed_isUnexpected() {
    journal.fresh().claimed(A);

    assertFound(Finding.UNEXPECTED);
  }

  @Test
  void check_jobIsThereTwice_isDuplicated() {
    journal.fresh().enqueued(A).claimed(A).ask(Op.FAIL_FOR_GOOD, A).killed();
    journal.begin().found(A, JobState.DEAD, 1, 0).found(A, JobState.DEAD, 1, 0).observed();

    assertFound(Finding.DUPLICATED);
  }

  @Test
  void check_jobHasTwoIds_isDuplicated() {
    journal.fresh().enqueued(A).claimed(A).ask(Op.FAIL_FOR_GOOD, A).killed();
    journal.begin().foundAs("other", A, JobState.DEAD).observed();

    assertThat(journal.check().count(Finding.DUPLICATED)).isEqualTo(1);
  }

  @Test
  void check_completedJobIsServedAgain_isRedelivered() {
    journal.fresh().enqueued(A).claimed(A).done(Op.COMPLETE, A).claimedFor(2, A);

    assertThat(journal.check().count(Finding.REDELIVERED)).isEqualTo(1);
  }

  @Test
  void check_completedJobIsServedAgainByTheNextProcess_isRedelivered() {
    journal.fresh().enqueued(A).claimed(A).done(Op.COMPLETE, A).killed().fresh().claimedFor(2, A);

    assertFound(Finding.REDELIVERED);
  }

  @Test
  void check_completedJobIsBackAfterACrash_isRedelivered() {
    journal.fresh().enqueued(A).claimed(A).done(Op.COMPLETE, A).killed();
    journal.begin().found(A, JobState.READY, 1, 0).observed().claimedFor(2, A);
    journal.done(Op.COMPLETE, A);

    Findings findings = journal.check();

    assertThat(findings.count(Finding.REDELIVERED)).isEqualTo(1);
    assertThat(findings.count(Finding.COMPLETED_TWICE)).isEqualTo(1);
  }

  @Test
  void check_cancelledJobIsServed_isRedelivered() {
    journal.fresh().enqueued(A).done(Op.CANCEL, A).claimed(A);

    assertThat(journal.check().count(Finding.REDELIVERED)).isEqualTo(1);
  }

  @Test
  void check_twoHoldersAtOnce_areOverlapping() {
    journal.fresh().enqueued(A).claimed(A).claimedFor(2, A).done(Op.COMPLETE, A);

    assertThat(journal.check().count(Finding.OVERLAPPING_LEASES)).isEqualTo(1);
  }

  @Test
  void check_twoHoldersButOneIsDead_findsNothing() {
    journal.fresh().enqueued(A).claimed(A).killed();
    journal.begin().found(A, JobState.READY, 1, 0).observed().claimedFor(2, A);
    journal.done(Op.COMPLETE, A);

    assertNothingFound();
  }

  @Test
  void check_sameLeaseCompletesAgain_isCompletedTwice() {
    journal.fresh().enqueued(A).claimed(A).done(Op.COMPLETE, A).done(Op.COMPLETE_AGAIN, A);

    assertFound(Finding.COMPLETED_TWICE);
  }

  @Test
  void check_sameLeaseIsToldThatNothingIsLeftToComplete_findsNothing() {
    journal.fresh().enqueued(A).claimed(A).done(Op.COMPLETE, A);
    journal.ask(Op.COMPLETE_AGAIN, A).told(Op.COMPLETE_AGAIN, Reply.NOTHING, A);

    assertNothingFound();
  }

  @Test
  void check_payloadIsDamaged_isWrong() {
    journal.fresh().enqueued(A).askClaim("c");
    journal.leasedAs("c", "id-" + A, Payload.DAMAGED, "1/1/0").toldClaim("c");
    journal.done(Op.COMPLETE, A);

    assertFound(Finding.WRONG_PAYLOAD);
  }

  @Test
  void check_wellFormedPayloadOfAnotherJob_isWrong() {
    journal.fresh().enqueued(A, B).askClaim("c").leasedAs("c", "id-" + A, B, "1/1/0");
    journal.toldClaim("c").done(Op.COMPLETE, A).claimed(B).done(Op.COMPLETE, B);

    assertThat(journal.check().count(Finding.WRONG_PAYLOAD)).isEqualTo(1);
  }

  @Test
  void check_payloadFromBeforeTheCheckpoint_isWrong() {
    journal.fresh().enqueued(A).claimed(A).done(Op.CHECKPOINT, A).killed();
    journal.begin().found(A, JobState.READY, 1, 0).observed().claimedFor(2, A);
    journal.done(Op.COMPLETE, A);

    assertFound(Finding.WRONG_PAYLOAD);
  }

  @Test
  void check_laterJobIsServedFirst_isSkipped() {
    journal.fresh().enqueued(A, B).claimed(B).claimed(A).done(Op.COMPLETE, A).done(Op.COMPLETE, B);

    assertFound(Finding.ORDER_SKIPPED);
  }

  @Test
  void check_lowerPriorityIsServedFirst_isSkipped() {
    journal.fresh().enqueued(A, HIGH).claimed(A, HIGH);
    journal.done(Op.COMPLETE, A).done(Op.COMPLETE, HIGH);

    assertFound(Finding.ORDER_SKIPPED);
  }

  @Test
  void check_laterJobIsServedFirstAfterACrash_isSkipped() {
    journal.fresh().enqueued(A, B).killed();
    journal.begin().found(A, JobState.READY, 0, 0).found(B, JobState.READY, 0, 0).observed();
    journal.claimed(B, A).done(Op.COMPLETE, A).done(Op.COMPLETE, B);

    assertFound(Finding.ORDER_SKIPPED);
  }

  @Test
  void check_earlierJobMayHaveBeenHeldByAnother_isNotSkipped() {
    journal.fresh().enqueued(A, B).askClaim("c").claimed(B);
    journal.leased("c", A, 7, 1).toldClaim("c").done(Op.COMPLETE, A).done(Op.COMPLETE, B);

    assertNothingFound();
  }

  @Test
  void check_earlierJobMayHaveBeenHeldByTheDead_isNotSkipped() {
    journal.fresh().enqueued(A, B).askClaim("c").claimed(B).done(Op.COMPLETE, B).killed();
    journal.begin().found(A, JobState.READY, 0, 0).observed().claimed(A).done(Op.COMPLETE, A);

    assertNothingFound();
  }

  @Test
  void check_jobOfHigherPriorityIsDelayed_isNotSkipped() {
    journal.fresh().done(Op.ENQUEUE_LATER, HIGH).enqueued(A).claimed(A, HIGH);
    journal.done(Op.COMPLETE, A).done(Op.COMPLETE, HIGH);

    assertNothingFound();
  }

  @Test
  void check_releasedJobHasLostItsPlace_isSkipped() {
    journal.fresh().enqueued(A, B).claimed(A).done(Op.RELEASE, A);
    journal.claimed(B, A).done(Op.COMPLETE, A).done(Op.COMPLETE, B);

    assertFound(Finding.ORDER_SKIPPED);
  }

  @Test
  void check_attemptIsCountedTwice_isWrong() {
    journal.fresh().enqueued(A).claimed(A).done(Op.RELEASE, A).claimedFor(2, A);
    journal.done(Op.COMPLETE, A);

    assertFound(Finding.WRONG_ATTEMPT);
  }

  @Test
  void check_startWasCountedThatNobodyAskedFor_isWrong() {
    journal.fresh().enqueued(A).killed();
    journal.begin().found(A, JobState.READY, 1, 0).observed().claimedFor(2, A);
    journal.done(Op.COMPLETE, A);

    assertFound(Finding.WRONG_ATTEMPT);
  }

  @Test
  void check_startWasCountedThatTheDeadAskedFor_findsNothing() {
    journal.fresh().enqueued(A).askClaim("c").killed();
    journal.begin().found(A, JobState.READY, 1, 0).observed().claimedFor(2, A);
    journal.done(Op.COMPLETE, A);

    assertNothingFound();
  }

  @Test
  void check_jobIsDeadWithAttemptsLeft_isInAWrongState() {
    journal.fresh().enqueued(A).claimed(A).done(Op.FAIL, A).killed();
    journal.begin().found(A, JobState.DEAD, 1, 0).observed();

    assertFound(Finding.WRONG_STATE);
  }

  @Test
  void check_failOfTheLastAttemptIsToBeTriedAgain_isAWrongAnswer() {
    journal.fresh().enqueued(A);
    for (int attempt = 1; attempt <= Workload.MAX_ATTEMPTS; attempt++) {
      journal.claimedFor(attempt, A).done(Op.FAIL, A);
    }
    journal.killed().begin().found(A, JobState.DEAD, Workload.MAX_ATTEMPTS, 0).observed();

    assertFound(Finding.WRONG_ANSWER);
  }

  @Test
  void check_leaseIsToldThatItIsOver_isAWrongAnswer() {
    journal.fresh().enqueued(A).claimed(A).ask(Op.COMPLETE, A).told(Op.COMPLETE, Reply.NOTHING, A);
    journal.done(Op.COMPLETE, A);

    assertFound(Finding.WRONG_ANSWER);
  }

  @Test
  void check_workerFailed_isAWrongAnswer() {
    journal.fresh().wrong("NullPointerException").killed();

    assertFound(Finding.WRONG_ANSWER);
  }

  @Test
  void check_jobOfACallWasClaimedBeforeItsAnswerAndAllIsCutOff_isFine() {
    journal.at(Durability.BUFFERED).fresh().ask(Op.ENQUEUE, A, B);
    journal.claimed(A).done(Op.COMPLETE, A).powerCut(JournalScript.NOTHING_US).fresh();

    assertNothingFound();
  }

  @Test
  void check_jobOfACallWasClaimedAndTheOtherIsGone_isLost() {
    journal.fresh().ask(Op.ENQUEUE, A, B).claimed(A).killed();
    journal.begin().found(A, JobState.READY, 1, 0).observed();
    journal.claimedFor(2, A).done(Op.COMPLETE, A);

    assertFound(Finding.LOST);
  }

  @Test
  void check_tokenIsNotAboveAnEarlierOne_isReused() {
    journal.fresh().enqueued(A, B).askClaim("c").leased("c", A, 7, 1).toldClaim("c");
    journal.askClaim("d").leased("d", B, 7, 1).toldClaim("d");
    journal.done(Op.COMPLETE, A).done(Op.COMPLETE, B);

    assertFound(Finding.NUMBER_REUSED);
  }

  @Test
  void check_callHappenedToSomeOfItsJobsOnly_isTorn() {
    journal.fresh().ask(Op.ENQUEUE, A, B).killed();
    journal.begin().found(A, JobState.READY, 0, 0).observed().claimed(A).done(Op.COMPLETE, A);

    assertFound(Finding.TORN_CALL);
  }

  @Test
  void check_storeDoesNotAgreeWithItself_isFound() {
    journal.begin().observed(3);

    assertFound(Finding.VERIFY_PROBLEM);
  }

  @Test
  void check_killedBeforeTheAnswer_eitherOutcomeIsRightAndCounted() {
    journal.fresh().enqueued(A).claimed(A).ask(Op.COMPLETE, A).ask(Op.ENQUEUE, B).killed();
    journal.begin().found(A, JobState.READY, 1, 0).found(B, JobState.READY, 0, 0).observed();
    journal.claimed(B).done(Op.COMPLETE, B).claimedFor(2, A).ask(Op.COMPLETE, A).killed().fresh();

    Findings findings = journal.check();

    assertThat(findings.messages()).isEmpty();
    assertThat(findings.figure(Figure.RECOVERED)).isEqualTo(2);
    assertThat(findings.figure(Figure.UNDONE)).isEqualTo(1);
  }

  @Test
  void check_processDiedAgainWhileItOpened_countsTheDeathOnce() {
    journal.fresh().enqueued(A).claimed(A).killed().begin().killed();
    journal.begin().found(A, JobState.READY, 1, 0).observed().claimedFor(2, A);
    journal.done(Op.COMPLETE, A);

    assertNothingFound();
  }

  @Test
  void check_syncedJobIsGoneAfterAPowerCut_isLost() {
    journal.fresh().at(Durability.SYNCED).enqueued(A);
    journal.powerCut(JournalScript.NOTHING_US).fresh();

    assertFound(Finding.LOST);
  }

  @Test
  void check_bufferedJobIsGoneAfterAPowerCut_isNoViolationButCounted() {
    journal.fresh().at(Durability.BUFFERED).enqueued(A, B);
    journal.powerCut(JournalScript.NOTHING_US).fresh();

    Findings findings = journal.check();

    assertThat(findings.messages()).isEmpty();
    assertThat(findings.figure(Figure.UNSYNCED_LOST)).isEqualTo(2);
    // Lines are a millisecond apart.
    assertThat(findings.figure(Figure.UNSYNCED_LOST_MS_MAX)).isEqualTo(3);
  }

  @Test
  void check_bufferedJobThatShouldHaveBeenSyncedIsGoneAfterAPowerCut_isLost() {
    journal.fresh().at(Durability.BUFFERED).enqueued(A).powerCut(500).fresh();

    assertFound(Finding.LOST);
  }

  @Test
  void check_syncedJobIsGoneThatWasAnsweredWhenThePowerWasGoing_isNoViolation() {
    journal.fresh().at(Durability.SYNCED).enqueued(A).wrong("EnginePoisonedException");
    journal.powerCutAt(2_500).fresh();

    assertNothingFound();
  }

  @Test
  void check_bufferedJobIsGoneAfterAKill_isLost() {
    journal.fresh().at(Durability.BUFFERED).enqueued(A).killed().fresh();

    assertFound(Finding.LOST);
  }

  @Test
  void check_laterOneOutlivedThePowerCutAndTheEarlierDidNot_isNoPrefix() {
    journal.fresh().at(Durability.BUFFERED).enqueued(A, B).powerCut(JournalScript.NOTHING_US);
    journal.begin().found(B, JobState.READY, 0, 0).observed().claimed(B).done(Op.COMPLETE, B);

    assertFound(Finding.PREFIX_BROKEN);
  }

  @Test
  void check_powerCutTookTheRedriveOrAllBeforeIt_jobMayHaveEitherPlace() {
    journal.fresh().at(Durability.BUFFERED).enqueued(A, B).claimed(A);
    journal.ask(Op.FAIL_FOR_GOOD, A).told(Op.FAIL_FOR_GOOD, Reply.DEAD, A).done(Op.REDRIVE, A);
    journal.claimed(B).done(Op.COMPLETE, B).powerCut(JournalScript.NOTHING_US);
    journal.begin().found(A, JobState.READY, 0, 0).found(B, JobState.READY, 0, 0).observed();
    journal.claimed(A).done(Op.COMPLETE, A).claimed(B).done(Op.COMPLETE, B).stopped().fresh();

    assertNothingFound();
  }

  @Test
  void check_jobCompletedBeforeAPowerCutTookThat_mayBeCompletedAgain() {
    journal.fresh().at(Durability.BUFFERED).enqueued(A).claimed(A).done(Op.COMPLETE, A);
    journal.powerCut(JournalScript.NOTHING_US);
    journal.begin().found(A, JobState.READY, 1, 0).observed().claimedFor(2, A);
    journal.done(Op.COMPLETE, A);

    assertNothingFound();
  }

  @Test
  void check_cancelRacesItsJob_isLastWhateverTheOrderOfAnswers() {
    journal.fresh().enqueued(A).claimed(A);
    journal.ask(Op.CANCEL, A).told(Op.CANCEL, Reply.NOTHING, A);
    journal.done(Op.FAIL, A).done(Op.CANCEL, A).killed().fresh();

    assertNothingFound();
  }

  private void assertFound(Finding only) {
    Findings findings = journal.check();

    assertThat(findings.messages()).singleElement().asString().startsWith(only.words() + ": ");
    assertThat(findings.count(only)).isEqualTo(1);
  }

  private void assertNothingFound() {
    assertThat(journal.check().messages()).isEmpty();
  }
}
