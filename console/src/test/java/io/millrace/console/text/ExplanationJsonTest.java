package io.millrace.console.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.BatchId;
import io.millrace.api.EngineHealth;
import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Ahead;
import io.millrace.api.Explanation.Holder;
import io.millrace.api.Explanation.Reason;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.describe.Descriptions;
import io.millrace.describe.ExplanationTexts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Explanations as the command line and the console tell them to programs. */
class ExplanationJsonTest {

  private static final JobId ID = new JobId(0, 1);
  private static final JobId OTHER = new JobId(0, 2);
  private static final QueueName MAIL = QueueName.of("mail");
  private static final Instant NOON = Instant.parse("2030-01-31T12:00:00Z");
  private static final Optional<Instant> LATER = Optional.of(Instant.parse("2030-01-31T12:05:00Z"));
  private static final String S = "a sentence";

  /** A reason of each kind, and its facts as they are told. */
  static Stream<Arguments> reasons() {
    return Stream.concat(ofStates(), ofWaiting());
  }

  private static Stream<Arguments> ofStates() {
    return Stream.of(
        told(
            new Explanation.Dead(NOON, 3, Optional.of("refused"), S),
            "'since':'2030-01-31T12:00:00Z','attempts':3,'error':'refused'"),
        told(
            new Explanation.Done(NOON, LATER, S),
            "'since':'2030-01-31T12:00:00Z','until':'2030-01-31T12:05:00Z'"),
        told(
            new Explanation.Running("w1", NOON, LATER, false, S),
            "'since':'2030-01-31T12:00:00Z','until':'2030-01-31T12:05:00Z','worker':'w1',"
                + "'cancelRequested':false"),
        told(
            new Explanation.WaitsForSignal("paid", NOON, LATER, S),
            "'since':'2030-01-31T12:00:00Z','deadline':'2030-01-31T12:05:00Z','name':'paid'"),
        told(
            new Explanation.WaitsForBatch(new BatchId(10), "import", 2, 1, List.of(OTHER), true, S),
            "'id':'000000000000000a','name':'import','left':2,'dead':1,"
                + "'deadJobs':['00000000000000000000000000000002'],'isSealed':true"),
        told(new Explanation.NeverStarts(NOON, S), "'at':'2030-01-31T12:00:00Z'"),
        told(new Explanation.Expires(NOON, S), "'at':'2030-01-31T12:00:00Z'"),
        told(
            new Explanation.EngineRefuses(EngineHealth.Status.FULL, NOON, S),
            "'since':'2030-01-31T12:00:00Z','status':'FULL'"),
        told(new Explanation.EngineSilent(Duration.ofSeconds(1), S), "'waitedMs':1000"),
        told(new Explanation.NoEngine(S), ""));
  }

  private static Stream<Arguments> ofWaiting() {
    return Stream.of(
        told(new Explanation.NoHandler("letter", S), "'type':'letter'"),
        told(new Explanation.Paused(S), ""),
        told(new Explanation.TooHeavy(5, 4, 0, S), "'weight':5,'capacity':4,'free':0"),
        told(
            new Explanation.KeyTaken(
                "ada",
                true,
                2,
                7,
                List.of(
                    new Holder(ID, MAIL, JobState.LEASED),
                    new Holder(OTHER, new QueueName("mail", "acme"), JobState.READY)),
                new Ahead(1_000, false),
                S),
            "'key':'ada','isOfEngine':true,'limit':2,'holderCount':7,'holders':["
                + "{'id':'00000000000000000000000000000001','queue':'mail','tenant':'',"
                + "'state':'leased'},"
                + "{'id':'00000000000000000000000000000002','queue':'mail','tenant':'acme',"
                + "'state':'ready'}],'ahead':{'count':1000,'isExact':false}"),
        told(
            new Explanation.Delayed(NOON, Explanation.Delay.BACKOFF, Optional.of("refused"), S),
            "'until':'2030-01-31T12:00:00Z','why':'backoff','error':'refused'"),
        told(
            new Explanation.QueueLeased("w1", NOON, S),
            "'until':'2030-01-31T12:00:00Z','worker':'w1'"),
        told(
            new Explanation.RateLimited(NOON, true, S),
            "'until':'2030-01-31T12:00:00Z','isOfKey':true"),
        told(
            new Explanation.EngineRateLimited(NOON, "relay", S),
            "'until':'2030-01-31T12:00:00Z','key':'relay'"),
        told(new Explanation.LeasesUsedUp(9, S), "'limit':9"),
        told(new Explanation.Behind(new Ahead(3, true), S), "'ahead':{'count':3,'isExact':true}"),
        told(new Explanation.NoClaims(LATER, S), "'lastClaim':'2030-01-31T12:05:00Z'"),
        told(new Explanation.NoClaims(Optional.empty(), S), ""),
        told(new Explanation.WorkersBusy(LATER, S), "'lastClaim':'2030-01-31T12:05:00Z'"),
        told(new Explanation.ServedNext(S), ""));
  }

  private static Arguments told(Reason reason, String facts) {
    return Arguments.of(reason, facts);
  }

  private static String json(Explanation told) {
    byte[] json =
        Json.object(
            fields ->
                DescribedJson.writeAttributes(
                    Descriptions.EXPLANATION, ExplanationTexts.of(told), fields));
    return new String(json, UTF_8).replace('"', '\'');
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void reason_always_isToldWithEachOfItsFacts(Reason reason, String facts) {
    Explanation explanation =
        new Explanation(ID, MAIL, JobState.READY, List.of(reason), Optional.of(NOON));

    assertThat(json(explanation))
        .isEqualTo(
            "{'id':'00000000000000000000000000000001','queue':'mail','tenant':'','state':'ready',"
                + "'reasons':[{'kind':'%s','sentence':'a sentence','facts':{%s}}],"
                    .formatted(reason.kind(), facts)
                + "'earliest':'2030-01-31T12:00:00Z'}");
  }

  @Test
  void reasons_ofTheTestAbove_areOfEveryKind() {
    assertThat(reasons().<Class<?>>map(each -> each.get()[0].getClass()))
        .containsAll(List.of(Reason.class.getPermittedSubclasses()));
  }
}
