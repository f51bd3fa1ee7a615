package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.api.CancelResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any characters in names, keys that keep their order at every boundary, scans that stop at their
 * prefix.
 */
@Tag("calls")
class NameTrapsTest extends TrapTest {

  private static final List<String> TEXTS =
      List.of(
          "a",
          "a/",
          "a/b",
          "/",
          "\u0000",
          "a\u0000",
          "\u0000\u0000",
          "ÿ",
          "\u00ff\u00ff",
          "\uffff",
          "é",
          "線路",
          "\uD83D\uDE82",
          " ",
          "@",
          "a@b",
          "\n",
          "%00",
          "..",
          "ÿ".repeat(100),
          "z".repeat(200),
          "\u0000".repeat(200));

  @ParameterizedTest
  @EachStoreKind
  void queue_hostileNamesAndTenants_areKeptApart(StoreKind kind) {
    EngineHarness harness = start(kind);
    List<QueueName> names = new ArrayList<>();
    for (String name : TEXTS) {
      names.add(QueueName.of(name));
      for (String tenant : TEXTS.subList(0, 9)) {
        names.add(new QueueName(name, tenant));
      }
    }
    for (QueueName name : names) {
      harness.queues().queue(name).enqueue((name.name() + "|" + name.tenant()).getBytes(UTF_8));
    }
    harness.restartCleanly();

    for (QueueName name : names) {
      JobQueue queue = harness.queues().queue(name);
      assertThat(peek(queue, JobState.READY)).containsExactly(name.name() + "|" + name.tenant());
      assertThat(payloads(claim(queue, 10))).containsExactly(name.name() + "|" + name.tenant());
    }
    assertThat(queues(harness, 7)).containsExactlyInAnyOrderElementsOf(names);
    assertClean(harness);
  }

  @Test
  void queues_manyNames_areListedShortOnesFirstAndThenByTheirBytes() {
    EngineHarness harness = start(StoreKind.MEMORY);
    List<String> shuffled = List.of("b", "aa", "a", "ab", "c", "aaa", "ba");
    shuffled.forEach(name -> enqueue(harness.queues().queue(name), "x"));
    enqueue(harness.queues().queue("a", "t"), "x");

    assertThat(queues(harness, 3))
        .containsExactly(
            QueueName.of("a"),
            new QueueName("a", "t"),
            QueueName.of("b"),
            QueueName.of("c"),
            QueueName.of("aa"),
            QueueName.of("ab"),
            QueueName.of("ba"),
            QueueName.of("aaa"));
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 1_000})
  void queueName_tooLong_isRefusedWithItsLengthAndTheLimit(int length) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueName.of("z".repeat(length)))
        .withMessageContaining("name")
        .withMessageContaining("UTF-8 bytes=" + length)
        .withMessageContaining("most=200");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new QueueName("a", "z".repeat(length)))
        .withMessageContaining("tenant")
        .withMessageContaining("UTF-8 bytes=" + length);
  }

  @Test
  void queueName_emptyOrBroken_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueName.of(""))
        .withMessageContaining("least=1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueName.of("a\uD800"))
        .withMessageContaining("unpaired surrogate at index 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueName.of("é".repeat(101)))
        .withMessageContaining("UTF-8 bytes=202");
    assertThat(new QueueName("a", "").tenant()).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void enqueue_everyByteAndHostileHeaders_comeBackAsTheyWere(StoreKind kind) {
    EngineHarness harness = start(kind);
    byte[] payload = new byte[256];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) i;
    }
    Map<String, String> headers = Map.of("\u0000", "ÿ\u0000/", "線路", "", "a=b", "\uD83D\uDE82");

    JobId id = mail(harness).enqueue(payload, EnqueueOptions.DEFAULT.headers(headers)).jobId();
    harness.restartCleanly();

    Job job = job(harness.queues(), id);
    assertThat(job.payload()).isEqualTo(payload);
    assertThat(job.headers()).isEqualTo(headers);
    assertThat(claim(mail(harness)).headers()).isEqualTo(headers);
  }

  @Test
  void enqueue_callersArrayIsChangedAfterwards_jobStaysAsItWas() {
    EngineHarness harness = start(StoreKind.MEMORY);
    byte[] payload = "before".getBytes(UTF_8);
    JobId id = mail(harness).enqueue(payload).jobId();

    Arrays.fill(payload, (byte) 'x');
    Arrays.fill(job(harness.queues(), id).payload(), (byte) 'y');
    Arrays.fill(claim(mail(harness)).payload(), (byte) 'z');

    assertThat(new String(job(harness.queues(), id).payload(), UTF_8)).isEqualTo("before");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00000000000000000000000000000000", "ffffffffffffffffffffffffffffffff",
            "00000001000000000000000000000000",
        "0000000100007f000000000000000001", "7fffffffffffffff7fffffffffffffff",
            "80000000000000008000000000000000"
      })
  void jobId_thatNobodyGave_isSimplyNotThere(String text) {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "a");
    JobId id = JobId.parse(text);

    assertThat(harness.queues().get(id)).isEmpty();
    assertThat(harness.queues().cancelIfWaiting(id)).isEqualTo(CancelResult.GONE);
    assertThat(mail(harness).deadLetters().get(id)).isEmpty();
    assertThat(mail(harness).deadLetters().redrive(id)).isEqualTo(new RedriveResult.Gone());
    assertThat(mail(harness).deadLetters().delete(id)).isFalse();
    assertThat(id).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "0000000000000000000000000000000g",
        "000000000000000000000000000000000",
        "-0000000000000000000000000000001"
      })
  void jobId_parseOfOtherText_isRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JobId.parse(text))
        .withMessage(
            "text is not a job id: value=\"" + text + "\", expected 32 hexadecimal digits");
  }

  @Test
  void deadLetters_idOfAnotherQueue_isNotTheirs() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    claim(mail(harness)).fail("broken", FailOptions.PERMANENT).orThrow();
    JobQueue other = harness.queues().queue("mail", "other");
    enqueue(other, "b");

    assertThat(other.deadLetters().get(id)).isEmpty();
    assertThat(other.deadLetters().delete(id)).isFalse();
    assertThat(other.deadLetters().redrive(id)).isNotEqualTo(new RedriveResult.Redriven());
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.DEAD);
  }

  private static List<QueueName> queues(EngineHarness harness, int pageSize) {
    List<QueueName> all = new ArrayList<>();
    Page<QueueName> page = harness.queues().queues(PageRequest.first(pageSize));
    all.addAll(page.items());
    while (page.next().isPresent()) {
      page = harness.queues().queues(PageRequest.after(page.next().get(), pageSize));
      all.addAll(page.items());
    }
    return all;
  }
}
