package io.millrace.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.CodecException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.RateLimit;
import io.millrace.api.UniqueKey;
import io.millrace.worker.Schedule.Missed;
import io.millrace.worker.Schedule.Overlap;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScheduleCodecTest {

  private static final Recurrence NIGHTLY =
      new CronTimes(CronExpression.parse("0 3 * * *"), ZoneId.of("Europe/Berlin"));
  private static final EnqueueOptions MOST =
      EnqueueOptions.DEFAULT
          .priority(-7)
          .delay(Duration.ofNanos(1_000_000_001))
          .maxAttempts(3)
          .backoff(Backoff.list(Duration.ofSeconds(1), Duration.ofMinutes(5)))
          .leaseDuration(Duration.ofMinutes(2))
          .weight(9)
          .header("b", "2")
          .header("a", "1 é")
          .type("report")
          .timeToLive(Duration.ofDays(1))
          .resultRetention(Duration.ofDays(3_650))
          .unique(UniqueKey.of("u").within(Duration.ofHours(1)).replace())
          .concurrencyKey("key");

  private final ScheduleCodec codec = new ScheduleCodec();

  private static ScheduleRow row(Recurrence times, EnqueueOptions options) {
    return ScheduleRow.of(
        new SchedulePlan(
            times,
            Missed.RUN_ONCE,
            Overlap.ALLOW,
            0,
            QueueName.of("reports"),
            new NewJob("all".getBytes(UTF_8), options)));
  }

  private ScheduleRow readBack(ScheduleRow row) {
    ScheduleRow read = codec.decode(codec.encode(row));
    assertThat(codec.encode(read)).isEqualTo(codec.encode(row));
    return read;
  }

  static List<EnqueueOptions> options() {
    EnqueueOptions none = EnqueueOptions.DEFAULT;
    return List.of(
        none,
        MOST,
        none.engineConcurrencyKey("host", 12),
        none.engineRateLimit("relay", RateLimit.of(20, Duration.ofMillis(1_500)).burst(7)),
        none.unique("u"),
        none.unique(UniqueKey.of("u").untilStarted()),
        none.backoff(Backoff.DEFAULT),
        none.backoff(new Backoff.Exponential(Duration.ZERO, 1.5, Duration.ofDays(2), 0.125)),
        none.backoff(Backoff.fixed(Duration.ofSeconds(3))),
        none.backoff(
            new Backoff.Linear(Duration.ofMillis(1), Duration.ofNanos(5), Duration.ofDays(9), 1)));
  }

  @ParameterizedTest
  @MethodSource("options")
  void decode_options_areAsTheyWere(EnqueueOptions options) {
    ScheduleRow read = readBack(row(NIGHTLY, options));

    assertThat(read.plan().job().options()).isEqualTo(options);
    assertThat(read.plan().job().options().headers().toString())
        .isEqualTo(options.headers().toString());
  }

  /** Whoever adds an option has it stored, too: and shows it above. */
  @Test
  void options_thatThereAre_areAllTried() throws ReflectiveOperationException {
    for (Method option : EnqueueOptions.class.getMethods()) {
      boolean isOption =
          option.getDeclaringClass() == EnqueueOptions.class && option.getParameterCount() == 0;
      if (isOption && !Set.of("visibleAt", "batch").contains(option.getName())) {
        Object unset = option.invoke(EnqueueOptions.DEFAULT);
        boolean isTried = false;
        for (EnqueueOptions tried : options()) {
          isTried |= !option.invoke(tried).equals(unset);
        }
        assertThat(isTried).as(option.getName()).isTrue();
      }
    }
  }

  static Stream<SchedulePlan> plans() {
    NewJob job = NewJob.of(new byte[0]);
    QueueName acme = new QueueName("mail", "acme");
    return Stream.of(
        new SchedulePlan(NIGHTLY, Missed.SKIP, Overlap.SKIP, 20_000, acme, job),
        new SchedulePlan(new PeriodTimes(1_000, -5), Missed.all(100), Overlap.ALLOW, 0, acme, job));
  }

  @ParameterizedTest
  @MethodSource("plans")
  void decode_plan_isAsItWas(SchedulePlan plan) {
    SchedulePlan read = readBack(ScheduleRow.of(plan)).plan();

    assertThat(read.times()).isEqualTo(plan.times());
    assertThat(read.missed()).isEqualTo(plan.missed());
    assertThat(read.overlap()).isEqualTo(plan.overlap());
    assertThat(read.jitterMs()).isEqualTo(plan.jitterMs());
    assertThat(read.queue()).isEqualTo(plan.queue());
    assertThat(read.job().payload()).isEqualTo(plan.job().payload());
  }

  @Test
  void decode_state_isAsItWas() {
    ScheduleRow row =
        row(NIGHTLY, EnqueueOptions.DEFAULT)
            .ownedBy("reports")
            .waiting(1_700_000_000_000L, new JobId(1, -2))
            .passed(1_600_000_000_000L)
            .withLastJob(new JobId(3, 4))
            .withExtraJob(new JobId(5, 6));

    ScheduleRow read = readBack(row);

    assertThat(read.owner()).contains("reports");
    assertThat(read.next()).contains(1_700_000_000_000L);
    assertThat(read.tick()).contains(new JobId(1, -2));
    assertThat(read.last()).contains(1_600_000_000_000L);
    assertThat(read.lastJob()).contains(new JobId(3, 4));
    assertThat(read.extraJob()).contains(new JobId(5, 6));
    assertThat(read.isPaused()).isFalse();
    assertThat(readBack(read.paused()).isPaused()).isTrue();
  }

  @Test
  void encode_row_isTheseBytesForEver() {
    ScheduleRow row =
        row(NIGHTLY, EnqueueOptions.DEFAULT.priority(5).header("h", "v"))
            .ownedBy("me")
            .waiting(0x18bcfe56800L, new JobId(1, 2))
            .passed(3);

    assertThat(HexFormat.of().formatHex(codec.encode(row)))
        .isEqualTo(
            "01"
                + "010000000930203320"
                + "2a202a202a"
                + "020000000d4575726f70652f4265726c696e"
                + "08000000077265706f727473"
                + "0900000000"
                + "0a00000003616c6c"
                + "20000000080000000000000005"
                + "250000000168"
                + "260000000176"
                + "10000000026d65"
                + "11000000080000018bcfe56800"
                + "1200000020"
                + HexFormat.of()
                    .formatHex(("0".repeat(15) + "1" + "0".repeat(15) + "2").getBytes(UTF_8))
                + "13000000080000000000000003");
  }

  @Test
  void decode_cutAnywhere_isRefusedOrLacksFields() {
    byte[] whole = codec.encode(row(NIGHTLY, MOST).waiting(5, new JobId(1, 2)));
    int refused = 0;
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      try {
        assertThat(codec.encode(codec.decode(cut))).hasSizeLessThan(whole.length);
      } catch (CodecException e) {
        refused++;
        assertThat(e).hasMessageStartingWith("bytes ");
      }
    }
    assertThat(refused).isGreaterThan(whole.length / 2);
  }

  @Test
  void decode_foreignBytes_areRefused() {
    assertRefused("", "bytes are no schedule of version 1: length=0");
    assertRefused("02", "bytes are no schedule of version 1: length=1, version=2");
    assertRefused("01", "bytes are no schedule: they have no times");
    assertRefused("01ff00000000", "a newer Millrace wrote it, use that one, tag=255");
    assertRefused("013f00000000", "a newer Millrace wrote it, use that one, tag=63");
    assertRefused("010b00000000", "a newer Millrace wrote it, use that one, tag=11");
    assertRefused("0103ffffffff", "a field is longer than what is there");
    assertRefused("01030000000100", "a number has not eight bytes: length=1, tag=3");
    assertRefused("0126000000017a", "a field is missing before this one, tag=38");
    assertRefused("0108000000017a", "bytes are no schedule: they have no times");
    assertRefused("01010000000130" + "020000000355544" + "3" + "08000000017a", "cron expression");
  }

  private void assertRefused(String hex, String message) {
    assertThatThrownBy(() -> codec.decode(HexFormat.of().parseHex(hex)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining(message);
  }

  @Test
  void optional_ofNothing_isNotStored() {
    assertThat(codec.decode(codec.encode(row(NIGHTLY, EnqueueOptions.DEFAULT))).owner())
        .isEqualTo(Optional.empty());
  }
}
