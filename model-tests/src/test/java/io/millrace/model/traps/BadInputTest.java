package io.millrace.model.traps;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueSettings;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.FormatVersionException;
import io.millrace.spi.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is null, out of range or too long is refused at the border, by name, value and limit, and
 * nothing has changed.
 */
class BadInputTest extends TrapTest {

  /** An act of a caller that must be refused. */
  interface Act {
    void on(JobQueue queue, Lease lease);
  }

  private static Arguments bad(String message, Act act) {
    return Arguments.of(message, act);
  }

  static List<Arguments> enqueuesOutOfRange() {
    EnqueueOptions options = EnqueueOptions.DEFAULT;
    Duration tooLong = Limits.DELAY_MAX.plusMillis(1);
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 65; i++) {
      many.put("h" + i, "");
    }
    return List.of(
        bad(
            "priority is out of range: value=128, least=-128, most=127",
            (queue, lease) -> options.priority(128)),
        bad(
            "priority is out of range: value=-129, least=-128, most=127",
            (queue, lease) -> options.priority(-129)),
        bad(
            "delay is out of range: value=PT-0.001S, least=PT0S, most=PT87600H",
            (queue, lease) -> options.delay(ofMillis(-1))),
        bad(
            "delay is out of range: value=PT87600H0.001S, least=PT0S, most=PT87600H",
            (queue, lease) -> options.delay(tooLong)),
        bad(
            "visibleAt is out of range: value=1969-12-31T23:59:59.999Z",
            (queue, lease) -> options.visibleAt(Instant.ofEpochMilli(-1))),
        bad(
            "maxAttempts is out of range: value=0, least=1, most=1000",
            (queue, lease) -> options.maxAttempts(0)),
        bad(
            "maxAttempts is out of range: value=1001, least=1, most=1000",
            (queue, lease) -> options.maxAttempts(1_001)),
        bad(
            "weight is out of range: value=0, least=1, most=65535",
            (queue, lease) -> options.weight(0)),
        bad(
            "weight is out of range: value=65536, least=1, most=65535",
            (queue, lease) -> options.weight(65_536)),
        bad(
            "leaseDuration is out of range: value=PT0.099S, least=PT0.1S, most=PT168H",
            (queue, lease) -> options.leaseDuration(ofMillis(99))),
        bad(
            "number of headers is out of range: value=65, least=0, most=64",
            (queue, lease) -> options.headers(many)),
        bad("most=8192", (queue, lease) -> options.headers(Map.of("a", "x".repeat(8_192)))),
        bad(
            "payload length in bytes is out of range: value=16777217, least=0, most=16777216",
            (queue, lease) -> queue.enqueue(new byte[(16 << 20) + 1])),
        bad(
            "most=10000",
            (queue, lease) ->
                queue.enqueueAll(Collections.nCopies(10_001, NewJob.of(new byte[0])))),
        bad(
            "most=33554432",
            (queue, lease) ->
                queue.enqueueAll(Collections.nCopies(3, NewJob.of(new byte[12 << 20])))));
  }

  static List<Arguments> claimsOutOfRange() {
    return List.of(
        bad(
            "max is out of range: value=0, least=1, most=10000",
            (queue, lease) -> ClaimOptions.by("w").max(0)),
        bad(
            "max is out of range: value=10001, least=1, most=10000",
            (queue, lease) -> ClaimOptions.by("w").max(10_001)),
        bad(
            "capacity is out of range: value=0, least=1, most=65535",
            (queue, lease) -> ClaimOptions.by("w").capacity(0)),
        bad(
            "maxWeight is out of range: value=0, least=1, most=2147483647",
            (queue, lease) -> ClaimOptions.by("w").maxWeight(0)),
        bad(
            "maxBytes is out of range: value=0, least=1, most=2147483647",
            (queue, lease) -> ClaimOptions.by("w").maxBytes(0)),
        bad(
            "waiting is out of range",
            (queue, lease) -> ClaimOptions.by("w").waiting(ofMillis(-1))),
        bad(
            "worker has a length out of range: value=\"\", UTF-8 bytes=0, least=1, most=200",
            (queue, lease) -> ClaimOptions.by("")),
        bad(
            "leaseDuration is out of range: value=PT168H0.001S",
            (queue, lease) -> Dropped.result(queue.claim("w", ofDays(7).plusMillis(1)))));
  }

  static List<Arguments> othersOutOfRange() {
    Duration tooLong = Limits.DELAY_MAX.plusMillis(1);
    return List.of(
        bad(
            "duration is out of range: value=PT0.099S, least=PT0.1S, most=PT168H",
            (queue, lease) -> lease.extend(ofMillis(99)).orThrow()),
        bad(
            "delay is out of range: value=PT87600H0.001S",
            (queue, lease) -> lease.snooze(tooLong).orThrow()),
        bad(
            "until is out of range",
            (queue, lease) -> lease.snooze(Instant.ofEpochMilli(-1)).orThrow()),
        bad(
            "state length in bytes is out of range: value=16777217",
            (queue, lease) -> lease.checkpoint(new byte[(16 << 20) + 1]).orThrow()),
        bad(
            "delay is out of range",
            (queue, lease) -> lease.fail("x", FailOptions.RETRY.delay(tooLong)).orThrow()),
        bad(
            "depthMax is out of range: value=0",
            (queue, lease) -> queue.configure(settings -> settings.depthMax(0))),
        bad(
            "leaseDuration is out of range",
            (queue, lease) -> queue.configure(settings -> settings.leaseDuration(ofDays(8)))),
        bad(
            "size is out of range: value=1001, least=1, most=1000",
            (queue, lease) -> PageRequest.first(1_001)),
        bad(
            "multiplier is out of range",
            (queue, lease) -> new Backoff.Exponential(ofSeconds(1), Double.NaN, ofSeconds(2), 0)),
        bad(
            "jitter is out of range",
            (queue, lease) -> new Backoff.Exponential(ofSeconds(1), 2, ofSeconds(2), 1.1)),
        bad(
            "initial is longer than max",
            (queue, lease) -> new Backoff.Linear(ofSeconds(3), ofSeconds(1), ofSeconds(2), 0)),
        bad("number of delays is out of range: value=0", (queue, lease) -> Backoff.list()));
  }

  static List<Arguments> endsOutOfRange() {
    Duration tooLong = Limits.DELAY_MAX.plusMillis(1);
    return List.of(
        bad(
            "timeToLive is out of range: value=PT0S, least=PT0.001S, most=PT87600H",
            (queue, lease) -> EnqueueOptions.DEFAULT.timeToLive(Duration.ZERO)),
        bad(
            "resultRetention is out of range: value=PT0S, least=PT0.001S, most=PT87600H",
            (queue, lease) -> EnqueueOptions.DEFAULT.resultRetention(Duration.ZERO)),
        bad(
            "resultRetention is out of range: value=PT87600H0.001S",
            (queue, lease) -> QueueSettings.DEFAULT.resultRetention(tooLong)),
        bad(
            "deadRetention is out of range: value=PT-1S",
            (queue, lease) -> QueueSettings.DEFAULT.deadRetention(ofSeconds(-1))),
        bad(
            "result length in bytes is out of range: value=1048577, least=0, most=1048576",
            (queue, lease) -> Dropped.result(lease.completeAsync(new byte[(1 << 20) + 1]))),
        bad(
            "delay is out of range: value=PT87600H0.001S",
            (queue, lease) -> Dropped.result(lease.snoozeAsync(tooLong))),
        bad(
            "until is out of range",
            (queue, lease) -> Dropped.result(lease.snoozeAsync(Instant.ofEpochMilli(-1)))),
        bad(
            "state length in bytes is out of range: value=16777217",
            (queue, lease) -> Dropped.result(lease.checkpointAsync(new byte[(16 << 20) + 1]))),
        bad(
            "leased jobs cannot be purged: states=[LEASED]",
            (queue, lease) -> queue.purge(Set.of(JobState.LEASED))),
        bad(
            "waiting is out of range: value=PT-1S, least=PT0S, most=PT87600H",
            (queue, lease) -> Dropped.result(queue.drain(ofSeconds(-1)))));
  }

  @ParameterizedTest
  @MethodSource({"enqueuesOutOfRange", "claimsOutOfRange", "othersOutOfRange", "endsOutOfRange"})
  void anyOperation_argumentOutOfRange_isRefusedByNameValueAndLimitAndNothingChanges(
      String message, Act act) {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    Lease lease = claim(mail);
    enqueue(mail, "flush");
    long commit = harness.store().lastCommit();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> act.on(mail, lease))
        .withMessageContaining(message);

    harness.poke();
    assertThat(harness.store().lastCommit()).isEqualTo(commit);
    assertThat(lease.remaining()).isEqualTo(ofSeconds(30));
  }

  static List<Arguments> nulls() {
    return List.of(
        bad("payload", (queue, lease) -> queue.enqueue(nothing())),
        bad("options", (queue, lease) -> queue.offer(new byte[0], nothing()).orThrow()),
        bad("jobs", (queue, lease) -> queue.enqueueAll(nothing())),
        bad("options", (queue, lease) -> Dropped.result(queue.claim((ClaimOptions) nothing()))),
        bad("states", (queue, lease) -> queue.purge(nothing())),
        bad("result", (queue, lease) -> lease.complete(nothing()).orThrow()),
        bad("change", (queue, lease) -> queue.configure(nothing())),
        bad("error", (queue, lease) -> lease.fail(nothing()).orThrow()),
        bad("state", (queue, lease) -> lease.checkpoint(nothing()).orThrow()),
        bad("state", (queue, lease) -> Dropped.result(lease.checkpointAsync(nothing()))),
        bad("duration", (queue, lease) -> lease.extend(nothing()).orThrow()),
        bad("delay", (queue, lease) -> lease.snooze((Duration) nothing()).orThrow()),
        bad("until", (queue, lease) -> lease.snooze((Instant) nothing()).orThrow()),
        bad("delay", (queue, lease) -> Dropped.result(lease.snoozeAsync((Duration) nothing()))),
        bad("until", (queue, lease) -> Dropped.result(lease.snoozeAsync((Instant) nothing()))),
        bad("id", (queue, lease) -> queue.deadLetters().redrive(nothing()).orThrow()),
        bad("filter", (queue, lease) -> queue.deadLetters().redriveAll(nothing())),
        bad("state", (queue, lease) -> queue.peek(nothing(), PageRequest.first(1))),
        bad("backoff", (queue, lease) -> EnqueueOptions.DEFAULT.backoff(nothing())),
        bad("headers", (queue, lease) -> EnqueueOptions.DEFAULT.headers(nothing())),
        bad("worker", (queue, lease) -> ClaimOptions.by(nothing())));
  }

  /** A null of any type, where the compiler believes that there is none. */
  @SuppressWarnings("unchecked") // Nothing is of every type.
  private static <T> T nothing() {
    @Nullable Object[] none = new Object[1];
    return (T) none[0];
  }

  @ParameterizedTest
  @MethodSource("nulls")
  void anyOperation_null_isRefusedByNameAndNothingChanges(String name, Act act) {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    Lease lease = claim(mail);
    enqueue(mail, "flush");
    long commit = harness.store().lastCommit();

    assertThatNullPointerException()
        .isThrownBy(() -> act.on(mail, lease))
        .withMessageContaining(name);

    harness.poke();
    assertThat(harness.store().lastCommit()).isEqualTo(commit);
  }

  @Test
  void fail_errorThatUtf8CannotHold_isTakenAllTheSame() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");

    claim(mail(harness)).fail("before\uD800after").orThrow();

    assertThat(job(harness.queues(), id).lastError().orElseThrow()).contains("before", "after");
  }

  @Test
  void enqueueAll_headersAreMoreBytesThanCharacters_isRefusedByItsBytes() {
    EnqueueOptions options = EnqueueOptions.DEFAULT.headers(Map.of("é", "€".repeat(2_730)));
    List<NewJob> jobs = Collections.nCopies(4_097, new NewJob(new byte[0], options));
    JobQueue queue = mail(start(StoreKind.MEMORY));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> queue.enqueueAll(jobs))
        .withMessage(
            "length of all payloads and headers in bytes is out of range: value=33562624, least=0,"
                + " most=33554432");

    assertThat(queue.stats()).isEmpty();
  }

  @Test
  void claim_noQueues_isRefused() {
    EngineHarness harness = start(StoreKind.MEMORY);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> harness.queues().claim(List.of(), ClaimOptions.by("w")))
        .withMessageContaining("queues");
  }

  @Test
  void enqueue_largestPayload_isTaken() {
    EngineHarness harness = start(StoreKind.LMDB);
    byte[] payload = new byte[Limits.PAYLOAD_BYTES_MAX];
    payload[payload.length - 1] = 7;

    mail(harness).enqueue(payload);
    harness.restartCleanly();

    assertThat(claim(mail(harness)).payload()).isEqualTo(payload);
  }

  @Test
  void enqueueAll_largestCall_isTakenWhole() {
    EngineHarness harness = start(StoreKind.LMDB);

    mail(harness).enqueueAll(Collections.nCopies(10_000, NewJob.of(new byte[2_000])));

    assertThat(mail(harness).stats().orElseThrow().count(JobState.READY)).isEqualTo(10_000);
    assertThat(claim(mail(harness), 10_000)).isNotEmpty();
  }

  @Test
  void open_folderIsAFile_isRefusedNamingIt() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "not a store");

    assertThatThrownBy(() -> JobEngine.open("lmdb:" + file))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(file.toString());
    assertThat(file).hasContent("not a store");
  }

  @Test
  void open_folderHoldsSomethingElse_isRefusedAndNothingIsTouched() throws IOException {
    Path foreign = Files.createDirectory(folder.resolve("foreign"));
    Files.writeString(foreign.resolve("letter.txt"), "mine");

    assertThatThrownBy(() -> JobEngine.open("lmdb:" + foreign))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining(foreign.toString());
    try (Stream<Path> files = Files.list(foreign)) {
      assertThat(files).containsExactly(foreign.resolve("letter.txt"));
    }
  }

  @Test
  void open_unknownScheme_isRefusedNamingIt() {
    assertThatThrownBy(() -> JobEngine.open("punchcards:" + folder))
        .hasMessageContaining("punchcards");
    assertThatThrownBy(() -> JobEngine.open(folder.toString().replace(":", "")))
        .hasMessageContaining("location has no kind of store or no folder");
  }

  @Test
  void options_outOfRange_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EngineOptions.DEFAULT.ringSize(1))
        .withMessageContaining("ringSize is out of range: value=1, least=2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EngineOptions.DEFAULT.leaseCountMax(0))
        .withMessageContaining("leaseCountMax");
  }

  @Test
  void enqueue_emptyPayloadAndLargestHeaders_comeBack() {
    EngineHarness harness = start(StoreKind.LMDB);
    Map<String, String> headers = Map.of("a", "x".repeat(8_191));

    mail(harness).enqueue(new byte[0], EnqueueOptions.DEFAULT.headers(headers));

    Lease lease = claim(mail(harness));
    assertThat(lease.payload()).isEmpty();
    assertThat(lease.headers()).isEqualTo(headers);
  }
}
