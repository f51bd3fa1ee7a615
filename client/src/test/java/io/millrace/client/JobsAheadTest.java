package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.api.Wake;
import io.millrace.protocol.Granted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The number of jobs that are claimed ahead, and the claims that they are given to. */
class JobsAheadTest {

  private static final int MOST = 100;
  private static final long KEPT_NS = JobsAhead.KEPT.toNanos();

  private final JobsAhead ahead = new JobsAhead(MOST);
  private final Caller caller = Caller.of(new StagedCalls(), () -> 0);
  private long lastJob;

  private List<RemoteLease> leases(int count, Duration duration) {
    List<Granted> granted = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      granted.add(
          new Granted(
              new JobId(1, ++lastJob),
              7,
              QueueName.of("mail"),
              "mail",
              new byte[90],
              Map.of("name", "ünique"),
              1,
              20,
              0,
              1,
              "w",
              Instant.EPOCH,
              duration,
              false,
              Optional.of(new byte[100]),
              Optional.empty(),
              Optional.empty(),
              new Wake.First()));
    }
    return RemoteLease.granted(caller, granted);
  }

  private void granted(int count) {
    ahead.granted(leases(count, Duration.ofSeconds(30)), claim(count + 1, 1));
  }

  private static ClaimOptions claim(int max, int maxBytes) {
    return ClaimOptions.by("w").max(max).maxBytes(maxBytes);
  }

  private List<RemoteLease> fill(int count, long nowNs) {
    List<RemoteLease> leases = leases(count, Duration.ofSeconds(30));
    assertThat(ahead.asked(leases, nowNs)).isEmpty();
    return leases;
  }

  @Test
  void claimsThatGetNothing_areNotHelped() {
    granted(0);

    assertThat(ahead.ask()).isZero();
  }

  @Test
  void aQuarterOfWhatAnIntervalTakes_isAskedFor() {
    granted(40);

    assertThat(ahead.ask()).isEqualTo(10);
  }

  @Test
  void moreThanTheMost_isNotAskedFor() {
    granted(5_000);

    assertThat(ahead.ask()).isEqualTo(MOST);
  }

  @Test
  void theIntervalBefore_countsOn_andOlderOnesDoNot() {
    granted(40);
    ahead.next(0);
    assertThat(ahead.ask()).isEqualTo(10);
    fill(1, 0);
    ahead.next(0);

    assertThat(ahead.ask()).isZero();
  }

  @Test
  void oneIsAskedForAtATime() {
    granted(40);
    ahead.ask();

    assertThat(ahead.ask()).isZero();
  }

  @Test
  void onlyWhatIsMissing_isAskedFor() {
    granted(40);
    ahead.ask();
    fill(5, 0);
    assertThat(ahead.ask()).isZero();
    ahead.take(claim(1, 1_000));

    assertThat(ahead.ask()).isEqualTo(6);
  }

  @Test
  void aQueueWithoutJobs_isAskedAgainWhenItHasSome() {
    granted(40);
    ahead.ask();
    fill(0, 0);
    granted(0);
    assertThat(ahead.ask()).isZero();
    granted(1);

    assertThat(ahead.ask()).isEqualTo(10);
  }

  @Test
  void aClaimThatGotNothing_getsWhatIsOnItsWay() throws Exception {
    granted(40);
    ahead.ask();
    CompletableFuture<List<RemoteLease>> empty =
        CompletableFuture.supplyAsync(() -> ahead.granted(List.of(), claim(9, 1_000)));
    List<RemoteLease> late = fill(2, 0);

    assertThat(empty.get(20, TimeUnit.SECONDS)).isEqualTo(late);
  }

  @Test
  void theOldest_areGivenFirst() {
    List<RemoteLease> leases = fill(5, 0);

    assertThat(ahead.take(claim(2, 1_000))).isEqualTo(leases.subList(0, 2));
    assertThat(ahead.take(claim(9, 1_000))).isEqualTo(leases.subList(2, 5));
    assertThat(ahead.take(claim(9, 1_000))).isEmpty();
  }

  @Test
  void bytes_endAClaim_butNotBeforeItsFirstJob() {
    int bytes = 90 + 100 + "name".length() + "ünique".length() + 1;
    List<RemoteLease> leases = fill(4, 0);

    assertThat(ahead.take(claim(9, 2 * bytes))).isEqualTo(leases.subList(0, 2));
    assertThat(ahead.take(claim(9, 2 * bytes - 1))).isEqualTo(leases.subList(2, 3));
    assertThat(ahead.take(claim(9, 1))).isEqualTo(leases.subList(3, 4));
  }

  @Test
  void whatWasKeptForLong_comesBack() {
    List<RemoteLease> old = fill(2, 0);
    List<RemoteLease> young = fill(2, 1);

    assertThat(ahead.next(KEPT_NS - 1)).isEmpty();
    assertThat(ahead.next(KEPT_NS)).isEqualTo(old);
    assertThat(ahead.take(claim(9, 1_000))).isEqualTo(young);
  }

  @Test
  void shortLeases_comeBackAtOnce_andNoMoreAreAskedFor() {
    granted(400);
    ahead.ask();
    List<RemoteLease> leases = leases(2, JobsAhead.LEASE_LEAST.minusMillis(1));

    assertThat(ahead.asked(leases, 0)).isEqualTo(leases);
    granted(400);
    assertThat(ahead.ask()).isZero();
    assertThat(ahead.take(claim(9, 1_000))).isEmpty();
  }

  @Test
  void isIdle_afterTwoIntervalsWithoutClaims() {
    granted(1);
    assertThat(ahead.isIdle()).isFalse();
    ahead.next(0);
    assertThat(ahead.isIdle()).isFalse();
    ahead.next(0);

    assertThat(ahead.isIdle()).isTrue();
  }

  @Test
  void isNotIdle_whileItHasOrAsksForJobs() {
    granted(40);
    ahead.ask();
    ahead.next(0);
    ahead.next(0);
    assertThat(ahead.isIdle()).isFalse();
    fill(1, 0);
    assertThat(ahead.isIdle()).isFalse();
    ahead.next(KEPT_NS);

    assertThat(ahead.isIdle()).isTrue();
  }

  @Test
  void close_givesNothingMore_andTakesNothing() {
    granted(40);
    ahead.ask();
    fill(2, 0);
    granted(40);
    ahead.take(claim(2, 1_000));
    ahead.ask();
    ahead.close();
    List<RemoteLease> late = leases(1, Duration.ofSeconds(30));

    assertThat(ahead.asked(late, 0)).isEqualTo(late);
    assertThat(ahead.take(claim(9, 1_000))).isEmpty();
    granted(40);
    assertThat(ahead.ask()).isZero();
  }
}
