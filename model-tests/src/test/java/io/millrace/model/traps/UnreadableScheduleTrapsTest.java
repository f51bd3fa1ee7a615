package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.PageRequest;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.worker.Schedule;
import io.millrace.worker.ScheduleStatus;
import io.millrace.worker.Schedules;
import io.millrace.worker.Schedules.PutResult;
import io.millrace.worker.TicksByHand;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A row that nobody here can read harms no other, and is told as what it is. */
@Tag("calls")
class UnreadableScheduleTrapsTest extends TrapTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final List<String> KINDS = List.of("field", "garbage", "newer", "number", "zone");

  private EngineHarness harness;

  @BeforeEach
  void start() {
    harness = start(StoreKind.MEMORY);
    schedules()
        .declare(
            "shop", good(), bad("zone"), bad("field"), bad("garbage"), bad("newer"), bad("number"));
    Table<String, byte[]> rows = rows();
    rows.put("zone", changed(rows.get("zone").orElseThrow(), "Europe/Berlin", "Europe/Nowhere"));
    rows.put("field", with(rows.get("field").orElseThrow(), new byte[] {99, 0, 0, 0, 0}));
    // A next instant that cannot be.
    byte[] instant = {17, 0, 0, 0, 8, 127, -1, -1, -1, -1, -1, -1, -1};
    rows.put("number", with(rows.get("number").orElseThrow(), instant));
    rows.put("garbage", "no schedule".getBytes(StandardCharsets.UTF_8));
    byte[] newer = rows.get("newer").orElseThrow();
    newer[0] = 2;
    rows.put("newer", newer);
  }

  private Table<String, byte[]> rows() {
    return harness.queues().table("millrace.schedules", Codec.TEXT, Codec.BYTES);
  }

  private Schedules schedules() {
    return Schedules.of(harness.queues());
  }

  private static Schedule good() {
    return Schedule.cron("good", "* * * * *", ZoneOffset.UTC).enqueue(MAIL, "good");
  }

  private static Schedule bad(String name) {
    return Schedule.cron(name, "* * * * *", ZoneId.of("Europe/Berlin")).enqueue(MAIL, name);
  }

  private static byte[] with(byte[] row, byte[] more) {
    byte[] longer = Arrays.copyOf(row, row.length + more.length);
    System.arraycopy(more, 0, longer, row.length, more.length);
    return longer;
  }

  /** With a text of another length in a field. */
  private static byte[] changed(byte[] row, String from, String to) {
    String text = new String(row, StandardCharsets.ISO_8859_1);
    return text.replace((char) from.length() + from, (char) to.length() + to)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private List<ScheduleStatus> listed() {
    return schedules().list(PageRequest.first(10)).items();
  }

  private List<String> ready() {
    return mail(harness).peek(JobState.READY, PageRequest.first(100)).items().stream()
        .map(job -> new String(job.payload(), StandardCharsets.UTF_8))
        .toList();
  }

  @Test
  void list_rowsThatNobodyCanRead_areShownBesideTheOthersWithTheReason() {
    assertThat(listed())
        .extracting(ScheduleStatus::name)
        .containsExactly("field", "garbage", "good", "newer", "number", "zone");
    assertThat(schedules().get("good").orElseThrow().unreadable()).isEmpty();
    ScheduleStatus zone = schedules().get("zone").orElseThrow();
    assertThat(zone.unreadable().orElseThrow()).contains("Europe/Nowhere");
    assertThat(zone.times()).isEqualTo("cron \"* * * * *\" in Europe/Nowhere");
    assertThat(zone.owner()).contains("shop");
    assertThat(zone.next()).isPresent();
    assertThat(schedules().get("field").orElseThrow().unreadable().orElseThrow())
        .contains("a newer Millrace wrote it");
    assertThat(schedules().get("garbage").orElseThrow().unreadable()).isPresent();
    assertThat(schedules().get("newer").orElseThrow().unreadable().orElseThrow())
        .contains("version=2");
    assertThat(schedules().get("number").orElseThrow().unreadable().orElseThrow())
        .contains("instant is out of range");
  }

  @Test
  void declare_besideThem_worksAndRemovesWhatItOwnedAndCanTell() {
    assertThat(schedules().declare("other", Schedule.every("x", SECOND).enqueue(MAIL, "x")))
        .containsExactly(PutResult.NEW);

    assertThat(schedules().declare("shop", good())).containsExactly(PutResult.UNCHANGED);

    assertThat(listed())
        .extracting(ScheduleStatus::name)
        .containsExactly("garbage", "good", "newer", "x");
  }

  @Test
  void declare_themAnew_healsThem() {
    List<PutResult> results =
        schedules().declare("shop", KINDS.stream().map(name -> bad(name)).toList());

    assertThat(results).containsOnly(PutResult.CHANGED);
    assertThat(listed()).allMatch(status -> status.unreadable().isEmpty());
    advance(harness, Duration.ofMinutes(1));
    TicksByHand.runDue(harness.queues());
    assertThat(ready()).containsExactlyInAnyOrderElementsOf(KINDS);
  }

  @Test
  void tick_ofThem_waitsAMinuteIsToldAndHoldsNoOtherUp() {
    for (int minute = 0; minute < 3; minute++) {
      advance(harness, Duration.ofMinutes(1));
      assertThat(TicksByHand.runDue(harness.queues())).isEqualTo(6);
    }

    assertThat(ready()).containsExactly("good", "good", "good");
    assertThat(claim(mail(harness), 10)).hasSize(3);
    assertThat(harness.engine().health().warnings())
        .singleElement()
        .asString()
        .contains("schedule makes no jobs: name=zone, it cannot be read here:");
    assertThat(
            harness
                .queues()
                .queue(TicksByHand.QUEUE)
                .peek(JobState.DELAYED, PageRequest.first(10))
                .items())
        .hasSize(6)
        .allMatch(job -> job.attempts() == 0);
    schedules().pause("zone");
    KINDS.stream().filter(name -> !name.equals("zone")).forEach(schedules()::remove);
    await("it is over", () -> harness.engine().health().warnings().isEmpty());
  }

  @Test
  void pauseAndRemove_doWhatTheySay_andOthersRefuseWithTheReason() {
    for (String name : KINDS) {
      assertThat(schedules().pause(name)).isTrue();
      assertThat(schedules().get(name).orElseThrow().isPaused()).isTrue();
      if (name.equals("number")) {
        // The instant that could not be read went with the pause.
        assertThat(schedules().get(name).orElseThrow().unreadable()).isEmpty();
        continue;
      }
      assertThat(schedules().get(name).orElseThrow().unreadable()).isPresent();
      assertThatThrownBy(() -> schedules().resume(name))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("schedule cannot be read here: name=" + name);
      assertThatThrownBy(() -> schedules().runNow(name)).isInstanceOf(IllegalStateException.class);
    }
    for (String name : KINDS) {
      assertThat(schedules().remove(name)).isTrue();
    }
    assertThat(listed()).extracting(ScheduleStatus::name).containsExactly("good");
  }

  @Test
  void pause_ofARowOfANewerVersion_keepsTheFieldsThatAreNotKnownHere() {
    byte[] before = rows().get("field").orElseThrow();

    schedules().pause("field");

    byte[] after = rows().get("field").orElseThrow();
    assertThat(new String(after, StandardCharsets.ISO_8859_1)).contains("c\0\0\0\0");
    assertThat(after).hasSizeLessThan(before.length);
  }

  @Test
  void scan_codecRefusesARow_pageEndsBeforeItAndGoesOnBehindIt() {
    Table<String, byte[]> bytes = harness.queues().table("t", Codec.TEXT, Codec.BYTES);
    for (String key : List.of("a", "b", "c")) {
      bytes.put(key, key.equals("b") ? new byte[3] : new byte[8]);
    }
    Table<String, Long> numbers = harness.queues().table("t", Codec.TEXT, Codec.LONG);

    var first = numbers.scan(TableRange.all(), PageRequest.first(10));

    assertThat(first.items()).extracting(row -> row.key()).containsExactly("a");
    PageRequest atIt = new PageRequest(10, first.next());
    assertThatThrownBy(() -> numbers.scan(TableRange.all(), atIt))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("table=t, key=62")
        .hasMessageContaining("go on behind it with cursor=")
        .satisfies(
            thrown -> {
              String cursor = thrown.getMessage().replaceAll(".*cursor=", "");
              assertThat(
                      numbers
                          .scan(TableRange.all(), new PageRequest(10, Optional.of(cursor)))
                          .items())
                  .extracting(row -> row.key())
                  .containsExactly("c");
            });
    assertThatThrownBy(() -> numbers.get("b"))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("table=t, key=62");
  }

  private static final Duration SECOND = Duration.ofSeconds(1);
}
