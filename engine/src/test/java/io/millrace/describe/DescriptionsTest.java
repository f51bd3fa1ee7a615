package io.millrace.describe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Explanation;
import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import io.millrace.api.SignalWait;
import io.millrace.describe.Description.Attribute;
import io.millrace.describe.Description.Spread;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of every description, and of open data that are written and read by them. */
class DescriptionsTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  /** Every description that there is, those of parts too. */
  static Stream<Description<?>> all() {
    return Arrays.stream(Descriptions.class.getDeclaredFields())
        .filter(field -> field.getType() == Description.class)
        .map(
            field -> {
              try {
                field.setAccessible(true);
                return (Description<?>) field.get(null);
              } catch (IllegalAccessException e) {
                throw new AssertionError(e);
              }
            });
  }

  /**
   * The names of a record's components, or of an interface's methods that take nothing; of a map,
   * which the facts of reasons are, those of all kinds of reasons.
   */
  private static Set<String> accessors(Class<?> type) {
    if (type == Map.class) {
      return Arrays.stream(Explanation.Reason.class.getPermittedSubclasses())
          .flatMap(kind -> accessors(kind).stream())
          .filter(name -> !name.equals("sentence"))
          .collect(Collectors.toSet());
    }
    Stream<String> names =
        type.isRecord()
            ? Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName)
            : Arrays.stream(type.getMethods())
                .filter(method -> method.getParameterCount() == 0)
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName);
    return names.collect(Collectors.toSet());
  }

  @ParameterizedTest
  @MethodSource("all")
  void description_always_hasEveryAccessorOfItsTypeOnce(Description<?> description) {
    assertThat(description.attributes().stream().map(Attribute::accessor))
        .containsExactlyInAnyOrderElementsOf(accessors(description.type()));
  }

  @ParameterizedTest
  @MethodSource("all")
  void description_always_namesEachAttributeOnce(Description<?> description) {
    assertThat(names(description, Attribute::item)).doesNotHaveDuplicates();
    assertThat(names(description, Attribute::told)).doesNotHaveDuplicates();
  }

  private static List<String> names(
      Description<?> description, Function<Attribute<?, ?>, String> name) {
    return description.attributes().stream()
        .flatMap(
            it ->
                it.form() instanceof Spread<?> spread
                    ? names(spread.part(), name).stream()
                    : Stream.of(name.apply(it)))
        .filter(it -> !it.isEmpty())
        .toList();
  }

  @Test
  void openData_ofAJobWithEverything_areReadAsItWas() {
    Job job = Descriptions.JOB.make(everything());

    CompositeData sent = OpenData.write(Descriptions.JOB, job);
    Job read = OpenData.read(Descriptions.JOB, sent);

    assertThat(sent.values()).doesNotContainNull();
    assertThat(OpenData.write(Descriptions.JOB, read)).isEqualTo(sent);
    assertThat(read.id()).isEqualTo(new JobId(1, 2));
    assertThat(read.queue()).isEqualTo(new QueueName("mail", "acme"));
    assertThat(read.engineConcurrencyMost()).hasValue(3);
    assertThat(read.engineRateLimit()).contains(RateLimit.of(20, Duration.ofSeconds(1)));
    assertThat(read.backoff()).isEqualTo(Backoff.list(Duration.ofSeconds(1), Duration.ofDays(1)));
    assertThat(read.signalWait()).contains(new SignalWait("go", NOON, Optional.of(NOON)));
    assertThat(read.batch()).contains(new BatchId(10));
    assertThat(read.waitsForBatch()).contains(new BatchId(11));
    assertThat(read.lease()).contains(new Job.Running(41, "w1", NOON, true));
    assertThat(read.headers()).isEqualTo(Map.of("a", "b"));
    assertThat(read.checkpointed()).hasValueSatisfying(it -> assertThat(it).containsExactly(1, -1));
    assertThat(read.history())
        .containsExactly(
            new FinishedAttempt(1, NOON, NOON, "w1", Optional.of("no")),
            new FinishedAttempt(2, NOON, NOON, "w2", Optional.empty()));
  }

  @Test
  void openData_ofAJobWithoutWhatItMayLack_areReadWithoutIt() {
    Map<String, Object> values = everything();
    values
        .keySet()
        .removeAll(Set.of("uniqueKey", "engineConcurrencyMost", "lease", "signalWait", "batch"));

    Job read =
        OpenData.read(
            Descriptions.JOB, OpenData.write(Descriptions.JOB, Descriptions.JOB.make(values)));

    assertThat(read.uniqueKey()).isEmpty();
    assertThat(read.engineConcurrencyMost()).isEmpty();
    assertThat(read.lease()).isEmpty();
    assertThat(read.signalWait()).isEmpty();
    assertThat(read.batch()).isEmpty();
  }

  @Test
  void openData_ofABatch_areReadAsItWas() {
    BatchStats goesOn = batch(Optional.empty());
    BatchStats over = batch(Optional.of(NOON));

    assertThat(sentAndRead(goesOn)).isEqualTo(goesOn);
    assertThat(sentAndRead(over)).isEqualTo(over);
  }

  private static BatchStats batch(Optional<Instant> endedAt) {
    return new BatchStats(
        new BatchId(10),
        "import",
        endedAt.map(end -> new BatchId(9)),
        true,
        false,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        Duration.ofDays(7),
        NOON,
        endedAt);
  }

  private static BatchStats sentAndRead(BatchStats batch) {
    return OpenData.read(Descriptions.BATCH, OpenData.write(Descriptions.BATCH, batch));
  }

  @Test
  void openData_textThatCannotBeRead_isRefusedWithItsName() throws OpenDataException {
    CompositeData job = text("id", "no id");

    assertThatThrownBy(() -> OpenData.read(Descriptions.JOB, job))
        .isInstanceOf(UnknownValueException.class)
        .hasMessage("id=no id");
  }

  @Test
  void openData_ofANewerEngine_areRefusedWithWhatIsUnknown() throws OpenDataException {
    CompositeData asleep = text("state", "ASLEEP");
    CompositeData ready = text("state", "READY");

    assertThatThrownBy(() -> OpenData.read(Descriptions.EXPLANATION, asleep))
        .isInstanceOf(UnknownValueException.class)
        .hasMessage("JobState=ASLEEP");
    assertThatThrownBy(() -> OpenData.read(Descriptions.EXPLANATION, ready))
        .isInstanceOf(UnknownValueException.class)
        .hasMessage("jobId is missing");
  }

  /** Open data that have nothing else. */
  private static CompositeData text(String item, String value) throws OpenDataException {
    String[] items = {item};
    CompositeType type =
        new CompositeType("x", "x", items, items, new OpenType<?>[] {SimpleType.STRING});
    return new CompositeDataSupport(type, items, new Object[] {value});
  }

  @Test
  void openData_ofSettings_keepTheirOrder() {
    SettingsTexts settings = SettingsTexts.of(QueueSettings.DEFAULT);

    SettingsTexts read =
        OpenData.read(Descriptions.SETTINGS, OpenData.write(Descriptions.SETTINGS, settings));

    assertThat(read.values().keySet()).containsExactlyElementsOf(settings.values().keySet());
    assertThat(read).isEqualTo(settings);
  }

  private static Map<String, Object> everything() {
    return new HashMap<>(
        Map.ofEntries(
            Map.entry("id", new JobId(1, 2)),
            Map.entry("queue", new QueueName("mail", "acme")),
            Map.entry("type", "letter"),
            Map.entry("uniqueKey", "u"),
            Map.entry("state", JobState.LEASED),
            Map.entry("priority", -5),
            Map.entry("weight", 2),
            Map.entry("concurrencyKey", "ada"),
            Map.entry("engineConcurrencyKey", "host"),
            Map.entry("engineConcurrencyMost", 3),
            Map.entry("engineRateKey", "relay"),
            Map.entry("engineRateLimit", RateLimit.of(20, Duration.ofSeconds(1))),
            Map.entry("attempts", 3),
            Map.entry("maxAttempts", 4),
            Map.entry("backoff", Backoff.list(Duration.ofSeconds(1), Duration.ofDays(1))),
            Map.entry("enqueuedAt", NOON),
            Map.entry("visibleAt", NOON),
            Map.entry("diedAt", NOON),
            Map.entry("completedAt", NOON),
            Map.entry("expiresAt", NOON),
            Map.entry("signalWait", new SignalWait("go", NOON, Optional.of(NOON))),
            Map.entry("batch", new BatchId(10)),
            Map.entry("waitsForBatch", new BatchId(11)),
            Map.entry("lastError", "no"),
            Map.entry("lease", new Job.Running(41, "w1", NOON, true)),
            Map.entry("headers", Map.of("a", "b")),
            Map.entry("payload", new byte[] {7}),
            Map.entry("checkpointed", new byte[] {1, -1}),
            Map.entry("result", new byte[0]),
            Map.entry(
                "history",
                List.of(
                    new FinishedAttempt(1, NOON, NOON, "w1", Optional.of("no")),
                    new FinishedAttempt(2, NOON, NOON, "w2", Optional.empty())))));
  }
}
