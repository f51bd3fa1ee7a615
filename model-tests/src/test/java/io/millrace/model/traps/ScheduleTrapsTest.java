package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedule.Missed;
import io.millrace.worker.Schedule.Overlap;
import io.millrace.worker.ScheduleStatus;
import io.millrace.worker.Schedules;
import io.millrace.worker.Schedules.PutResult;
import io.millrace.worker.TicksByHand;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Recurring jobs: for each instant one job at most, and what was not asked for does not happen. */
class ScheduleTrapsTest extends TrapTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final ZoneId UTC = ZoneOffset.UTC;

  /** When the harness's clock starts. */
  private static final Instant START = Instant.parse("2023-11-14T22:13:20Z");

  private EngineHarness harness;

  @BeforeEach
  void start() {
    harness = start(StoreKind.MEMORY);
  }

  private Schedules schedules() {
    return Schedules.of(harness.queues());
  }

  private ScheduleStatus status(String name) {
    return schedules().get(name).orElseThrow();
  }

  private static Schedule hourly() {
    return Schedule.cron("report", "0 * * * *", UTC).enqueue(MAIL, "report");
  }

  /** Lets time pass and has what is due run; how many ticks there were. */
  private int pass(Duration time) {
    advance(harness, time);
    return TicksByHand.runDue(harness.queues());
  }

  /** For which instants there are jobs, of all states. */
  private List<String> made() {
    List<String> made = new ArrayList<>();
    for (JobState state : List.of(JobState.READY, JobState.LEASED, JobState.DELAYED)) {
      for (Job job : mail(harness).peek(state, PageRequest.first(1_000)).items()) {
        made.add(job.headers().get(Schedule.SCHEDULED_FOR));
      }
    }
    return made;
  }

  private List<JobId> tickJobs() {
    return harness
        .queues()
        .queue(TicksByHand.QUEUE)
        .peek(JobState.DELAYED, PageRequest.first(1_000))
        .items()
        .stream()
        .map(Job::id)
        .toList();
  }

  @Test
  void tick_instantsThatCome_makeAJobEach() {
    assertThat(schedules().put(hourly())).isEqualTo(PutResult.NEW);
    assertThat(pass(Duration.ofMinutes(46))).isZero();

    assertThat(pass(Duration.ofSeconds(40))).isOne();
    assertThat(pass(Duration.ofHours(1))).isOne();

    assertThat(made()).containsExactly("2023-11-14T23:00:00Z", "2023-11-15T00:00:00Z");
    Lease lease = claim(mail(harness));
    assertThat(payload(lease)).isEqualTo("report");
    assertThat(lease.type()).isEqualTo("mail");
    ScheduleStatus status = status("report");
    assertThat(status.times()).isEqualTo("cron \"0 * * * *\" in Z");
    assertThat(status.last()).contains(Instant.parse("2023-11-15T00:00:00Z"));
    assertThat(status.next()).contains(Instant.parse("2023-11-15T01:00:00Z"));
    assertThat(status.lastJob()).isPresent().isNotEqualTo(Optional.of(lease.jobId()));
    assertThat(status.type()).contains("mail");
    assertThat(status.queue()).isEqualTo(QueueName.of("mail"));
    assertThat(tickJobs()).hasSize(1);
  }

  @Test
  void tick_period_runsFromThePutOnWithoutDrift() {
    schedules().put(Schedule.every("ping", Duration.ofMinutes(5)).enqueue(MAIL, "ping"));

    pass(Duration.ofMinutes(5).plusSeconds(7));
    pass(Duration.ofMinutes(5));

    assertThat(made())
        .containsExactly(START.plusSeconds(300).toString(), START.plusSeconds(600).toString());
  }

  @Test
  void tick_longAfterTheInstant_makesOneJobForTheNewestMissed() {
    schedules().put(hourly());

    assertThat(pass(Duration.ofDays(10))).isOne();

    assertThat(made()).containsExactly("2023-11-24T22:00:00Z");
    assertThat(status("report").next()).contains(Instant.parse("2023-11-24T23:00:00Z"));
    assertThat(pass(Duration.ofMinutes(10))).isZero();
  }

  @Test
  void tick_missedToBeSkipped_makesNoneUnlessItIsAboutNow() {
    schedules().put(hourly().missed(Missed.SKIP));

    pass(Duration.ofDays(10));
    assertThat(made()).isEmpty();
    assertThat(status("report").last()).contains(Instant.parse("2023-11-24T22:00:00Z"));

    // At 23:00:59 and at 00:01:01.
    pass(Duration.ofMinutes(47).plusSeconds(39));
    pass(Duration.ofHours(1).plusSeconds(2));
    assertThat(made()).containsExactly("2023-11-24T23:00:00Z");
  }

  @Test
  void tick_allMissedToBeMadeUpFor_makesTheNewestOnes() {
    schedules().put(hourly().missed(Missed.all(3)));

    pass(Duration.ofDays(10));
    pass(Duration.ofHours(1));

    assertThat(made())
        .containsExactly(
            "2023-11-24T20:00:00Z",
            "2023-11-24T21:00:00Z",
            "2023-11-24T22:00:00Z",
            "2023-11-24T23:00:00Z");
  }

  @Test
  void tick_jobBeforeHasNotEnded_isPassedOverIfSaidSo() {
    schedules().put(hourly().overlap(Overlap.SKIP));
    pass(Duration.ofHours(1));
    Lease running = claim(mail(harness));
    assertThat(running.extend(Duration.ofDays(1)).isDone()).isTrue();

    pass(Duration.ofHours(1));
    assertThat(status("report").last()).contains(Instant.parse("2023-11-15T00:00:00Z"));
    assertThat(status("report").lastJob()).contains(running.jobId());
    assertThat(running.complete().isDone()).isTrue();
    pass(Duration.ofHours(1));
    JobId onDemand = schedules().runNow("report").orElseThrow();
    claim(mail(harness), 2).forEach(lease -> completeUnless(onDemand, lease));
    pass(Duration.ofHours(1));

    assertThat(made()).containsExactly((String) null);
    assertThat(status("report").last()).contains(Instant.parse("2023-11-15T02:00:00Z"));
  }

  private static void completeUnless(JobId kept, Lease lease) {
    if (lease.jobId().equals(kept)) {
      lease.release().orThrow();
    } else {
      lease.complete().orThrow();
    }
  }

  @Test
  void tick_jobBeforeIsDead_makesAnother() {
    schedules()
        .put(
            Schedule.cron("report", "0 * * * *", UTC)
                .enqueue(MAIL, "report", options -> options.maxAttempts(1))
                .overlap(Overlap.SKIP));
    pass(Duration.ofHours(1));
    claim(mail(harness)).fail("no paper").orThrow();

    pass(Duration.ofHours(1));

    assertThat(made()).containsExactly("2023-11-15T00:00:00Z");
  }

  @Test
  void tick_jitterAndDelay_putTheJobOffAlwaysAlike() {
    Schedule spread = hourly().jitter(Duration.ofMinutes(30));
    schedules().put(spread);
    pass(Duration.ofMinutes(47));
    Job job = mail(harness).peek(JobState.DELAYED, PageRequest.first(1)).items().get(0);
    Duration off =
        Duration.between(Instant.parse("2023-11-14T23:00:00Z"), job.visibleAt().orElseThrow());

    assertThat(off).isBetween(Duration.ZERO, Duration.ofMinutes(30));
    assertThat(mail(harness).peek(JobState.READY, PageRequest.first(1)).items()).isEmpty();
    schedules().remove("report");
    Schedule later =
        Schedule.cron("late", "0 * * * *", UTC)
            .enqueue(MAIL, "late", options -> options.delay(Duration.ofMinutes(50)));
    schedules().put(later);
    pass(Duration.ofHours(1));
    assertThat(mail(harness).peek(JobState.DELAYED, PageRequest.first(9)).items())
        .extracting(each -> each.visibleAt().orElseThrow())
        .contains(Instant.parse("2023-11-15T00:50:00Z"));
  }

  @Test
  void tick_queueTakesNoJobs_waitsAndMakesTheNewest() {
    schedules().put(hourly());
    enqueue(mail(harness), "in the way");
    mail(harness).configure(settings -> settings.depthMax(1));

    assertThat(pass(Duration.ofHours(1))).isOne();
    assertThat(pass(Duration.ofHours(1))).isOne();
    assertThat(status("report").last()).isEmpty();
    claim(mail(harness)).complete().orThrow();
    pass(Duration.ofSeconds(11));

    assertThat(made()).containsExactly("2023-11-15T00:00:00Z");
    assertThatThrownBy(() -> schedules().runNow("report"))
        .isInstanceOf(EnqueueRefusedException.class);
  }

  @Test
  void tick_ofBeforeAChange_doesNothing() {
    schedules().put(hourly());
    advance(harness, Duration.ofHours(1));
    Lease stale = TicksByHand.claim(harness.queues(), 1).get(0);
    Schedule other = Schedule.cron("report", "30 * * * *", UTC).enqueue(MAIL, "report");
    assertThat(schedules().put(other)).isEqualTo(PutResult.CHANGED);

    TicksByHand.run(harness.queues(), stale);

    assertThat(made()).isEmpty();
    assertThat(status("report").next()).contains(Instant.parse("2023-11-14T23:30:00Z"));
    assertThat(tickJobs()).hasSize(1);
    pass(Duration.ofHours(1));
    assertThat(made()).containsExactly("2023-11-14T23:30:00Z");
  }

  @Test
  void tick_scheduleChangesBeforeItsCommit_goesByTheChange() {
    schedules().put(hourly());
    advance(harness, Duration.ofHours(1));
    Lease lease = TicksByHand.claim(harness.queues(), 1).get(0);
    AtomicBoolean isFirst = new AtomicBoolean(true);

    TicksByHand.run(
        harness.queues(),
        lease,
        () -> {
          if (isFirst.getAndSet(false)) {
            Await.join(CompletableFuture.supplyAsync(() -> schedules().remove("report")));
          }
        });

    assertThat(schedules().get("report")).isEmpty();
    assertThat(made()).isEmpty();
    assertThat(tickJobs()).isEmpty();
  }

  @Test
  void tick_diedBeforeItsCommit_isRunAgainAndMakesOneJob() {
    schedules().put(hourly());
    advance(harness, Duration.ofHours(1));
    assertThat(TicksByHand.claim(harness.queues(), 1)).hasSize(1);

    harness.crash();
    advance(harness, LEASE_OVER);

    assertThat(TicksByHand.runDue(harness.queues())).isOne();
    assertThat(made()).containsExactly("2023-11-14T23:00:00Z");
    harness.crash();
    assertThat(pass(Duration.ofMinutes(1))).isZero();
    assertThat(made()).containsExactly("2023-11-14T23:00:00Z");
  }

  @Test
  void tick_wallClockSetBack_makesNoSecondJobForAnInstant() {
    schedules().put(hourly());
    pass(Duration.ofHours(1));

    harness.clock().stepWallMs(-Duration.ofMinutes(20).toMillis());
    harness.restartCleanly();
    for (int i = 0; i < 40; i++) {
      pass(Duration.ofMinutes(1));
    }
    assertThat(made()).containsExactly("2023-11-14T23:00:00Z");

    harness.clock().stepWallMs(Duration.ofHours(5).toMillis());
    harness.poke();
    pass(Duration.ofMinutes(1));
    assertThat(made()).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void tick_wallClockSetBackBeforeIt_goesOnWithTheInstantsThatComeAgain() {
    schedules().put(hourly());
    advance(harness, Duration.ofMinutes(50));
    harness.clock().stepWallMs(-Duration.ofHours(2).toMillis());
    harness.restartCleanly();

    assertThat(TicksByHand.runDue(harness.queues())).isOne();

    assertThat(status("report").next()).contains(Instant.parse("2023-11-14T22:00:00Z"));
    assertThat(made()).isEmpty();
    pass(Duration.ofHours(1));
    pass(Duration.ofHours(1));
    assertThat(made()).containsExactly("2023-11-14T22:00:00Z", "2023-11-14T23:00:00Z");
  }

  @Test
  void put_unchanged_keepsTheInstantThatHasComeMeanwhile() {
    schedules().put(hourly());
    Instant next = status("report").next().orElseThrow();
    List<JobId> tick = tickJobs();
    advance(harness, Duration.ofMinutes(10));

    assertThat(schedules().put(hourly())).isEqualTo(PutResult.UNCHANGED);
    assertThat(tickJobs()).isEqualTo(tick);
    advance(harness, Duration.ofMinutes(50));
    assertThat(schedules().put(hourly())).isEqualTo(PutResult.UNCHANGED);
    Schedule other = Schedule.cron("report", "0 * * * *", UTC).enqueue(MAIL, "changed");
    assertThat(schedules().put(other)).isEqualTo(PutResult.CHANGED);

    assertThat(status("report").next()).contains(next);
    assertThat(TicksByHand.runDue(harness.queues())).isOne();
    assertThat(made()).containsExactly(next.toString());
    assertThat(payload(claim(mail(harness)))).isEqualTo("changed");
  }

  @Test
  void put_periodUnchanged_keepsItsBegin() {
    Schedule ping = Schedule.every("ping", Duration.ofHours(1)).enqueue(MAIL, "ping");
    schedules().put(ping);
    advance(harness, Duration.ofMinutes(20));

    assertThat(schedules().put(ping)).isEqualTo(PutResult.UNCHANGED);
    assertThat(status("ping").next()).contains(START.plusSeconds(3_600));
    Schedule longer = Schedule.every("ping", Duration.ofHours(2)).enqueue(MAIL, "ping");
    assertThat(schedules().put(longer)).isEqualTo(PutResult.CHANGED);
    assertThat(status("ping").next()).contains(START.plusSeconds(1_200 + 7_200));
  }

  @Test
  void put_tickJobWasPurged_bringsItBackWithItsInstant() {
    schedules().put(hourly());
    harness.queues().cancel(tickJobs().get(0)).orThrow();
    assertThat(pass(Duration.ofHours(1))).isZero();

    assertThat(schedules().put(hourly())).isEqualTo(PutResult.UNCHANGED);

    harness.poke();
    assertThat(TicksByHand.runDue(harness.queues())).isOne();
    assertThat(made()).containsExactly("2023-11-14T23:00:00Z");
  }

  @Test
  void pause_andResume_makeNothingUpFor() {
    schedules().put(hourly());
    pass(Duration.ofHours(1));
    claim(mail(harness)).complete().orThrow();
    assertThat(schedules().pause("report")).isTrue();
    assertThat(schedules().pause("report")).isTrue();
    assertThat(status("report").isPaused()).isTrue();
    assertThat(tickJobs()).isEmpty();
    assertThat(pass(Duration.ofHours(5))).isZero();
    assertThat(schedules().put(hourly())).isEqualTo(PutResult.UNCHANGED);
    assertThat(status("report").isPaused()).isTrue();

    assertThat(schedules().resume("report")).isTrue();
    assertThat(schedules().resume("report")).isTrue();

    assertThat(status("report").next()).contains(Instant.parse("2023-11-15T05:00:00Z"));
    assertThat(tickJobs()).hasSize(1);
    pass(Duration.ofHours(1));
    assertThat(made()).containsExactly("2023-11-15T05:00:00Z");
    assertThat(schedules().pause("nothing")).isFalse();
    assertThat(schedules().resume("nothing")).isFalse();
  }

  @Test
  void remove_schedule_leavesNothingButItsJobs() {
    schedules().put(hourly());
    pass(Duration.ofHours(1));

    assertThat(schedules().remove("report")).isTrue();
    assertThat(schedules().remove("report")).isFalse();

    assertThat(tickJobs()).isEmpty();
    assertThat(schedules().get("report")).isEmpty();
    assertThat(pass(Duration.ofHours(5))).isZero();
    assertThat(made()).hasSize(1);
  }

  @Test
  void runNow_schedule_makesAJobAndLeavesItsInstants() {
    schedules()
        .put(
            Schedule.cron("report", "0 * * * *", UTC)
                .enqueue(MAIL, "report", options -> options.delay(Duration.ofMinutes(5))));
    Optional<Instant> next = status("report").next();

    JobId job = schedules().runNow("report").orElseThrow();

    assertThat(schedules().runNow("nothing")).isEmpty();
    assertThat(state(harness.queues(), job)).isEqualTo(JobState.READY);
    assertThat(job(harness.queues(), job).headers()).doesNotContainKey(Schedule.SCHEDULED_FOR);
    assertThat(status("report").next()).isEqualTo(next);
    assertThat(status("report").lastJob()).isEmpty();
  }

  @Test
  void declare_others_removesWhatTheOwnerDeclaredBeforeAlone() {
    schedules().put(Schedule.every("by hand", Duration.ofHours(1)).enqueue(MAIL, "x"));
    schedules().declare("other", Schedule.every("theirs", Duration.ofHours(1)).enqueue(MAIL, "x"));
    Schedule kept = Schedule.every("kept", Duration.ofHours(1)).enqueue(MAIL, "x");
    Schedule dropped = Schedule.every("dropped", Duration.ofHours(1)).enqueue(MAIL, "x");
    assertThat(schedules().declare("mine", kept, dropped))
        .containsExactly(PutResult.NEW, PutResult.NEW);

    assertThat(schedules().declare("mine", kept, hourly()))
        .containsExactly(PutResult.UNCHANGED, PutResult.NEW);

    assertThat(schedules().list(PageRequest.first(10)).items())
        .extracting(each -> each.name() + " " + each.owner().orElse("-"))
        .containsExactly("by hand -", "kept mine", "report mine", "theirs other");
    assertThat(tickJobs()).hasSize(4);
    assertThat(
            schedules()
                .declare("mine", Schedule.every("by hand", Duration.ofHours(1)).enqueue(MAIL, "x")))
        .containsExactly(PutResult.UNCHANGED);
    assertThat(status("by hand").owner()).contains("mine");
    assertThat(schedules().declare("mine")).isEmpty();
    assertThat(schedules().list(PageRequest.first(10)).items()).hasSize(1);
  }

  @Test
  void declare_namesOfOthersOrTwice_isRefused() {
    schedules().declare("other", hourly());

    assertThatThrownBy(() -> schedules().declare("mine", hourly()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "schedule was declared by another owner: name=report, owner=other, declared by=mine;"
                + " rename it, or remove the other first");
    assertThatThrownBy(() -> schedules().declare("mine", hourly(), hourly()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two schedules have one name: name=report; rename one of them");
    assertThatThrownBy(() -> schedules().put(Schedule.every("p", Duration.ofHours(1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("schedule has no job: name=p; say what it enqueues");
    assertThat(status("report").owner()).contains("other");
  }

  @Test
  void declare_moreThanOneTransactionTakes_areAllThere() {
    String payload = "x".repeat(50_000);
    List<Schedule> many =
        IntStream.range(0, 1_200)
            .mapToObj(
                i ->
                    Schedule.every("s" + i, Duration.ofDays(1))
                        .enqueue(MAIL, i < 100 ? payload : "x"))
            .toList();

    assertThat(schedules().declare("mine", many)).hasSize(1_200).containsOnly(PutResult.NEW);
    assertThat(schedules().declare("mine", many)).containsOnly(PutResult.UNCHANGED);
    assertThat(schedules().declare("mine", many.subList(0, 1)))
        .containsExactly(PutResult.UNCHANGED);

    assertThat(schedules().list(PageRequest.first(10)).items()).hasSize(1);
    assertThat(tickJobs()).hasSize(1);
  }
}
