package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EngineOptions.Management;
import io.millrace.api.QueueSettings.Expiry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Options are values: what one says changes nothing else, and nobody changes what another holds.
 */
class OptionsTest {

  private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
  private static final Backoff FIXED = Backoff.fixed(ofSeconds(7));

  /** One change, and the accessors that tell of it. */
  record Change<T>(Set<String> told, UnaryOperator<T> change) {

    @Override
    public String toString() {
      return told.toString();
    }
  }

  /** A class of options with every change that it knows. */
  record Kind<T>(Class<T> type, T start, List<Change<T>> changes) {

    @SuppressWarnings("unchecked")
    T changed(Object base, Change<?> change) {
      return ((Change<T>) change).change().apply((T) base);
    }

    @Override
    public String toString() {
      return type.getSimpleName();
    }
  }

  private static <T> Change<T> change(String told, UnaryOperator<T> change) {
    return new Change<>(Set.of(told.split(" ")), change);
  }

  static Stream<Kind<?>> kinds() {
    return Stream.of(
        new Kind<>(EnqueueOptions.class, EnqueueOptions.DEFAULT, enqueueChanges()),
        new Kind<>(ClaimOptions.class, ClaimOptions.by("worker"), claimChanges()),
        new Kind<>(FailOptions.class, FailOptions.RETRY, failChanges()),
        new Kind<>(UpdateOptions.class, UpdateOptions.NOTHING, updateChanges()),
        new Kind<>(QueueSettings.class, QueueSettings.DEFAULT, settingsChanges()),
        new Kind<>(EngineOptions.class, EngineOptions.DEFAULT, engineChanges()),
        new Kind<>(TestOptions.class, TestOptions.DEFAULT, testChanges()),
        new Kind<>(JobFilter.class, JobFilter.ALL, filterChanges()),
        new Kind<>(DeadFilter.class, DeadFilter.ALL, deadFilterChanges()));
  }

  private static List<Change<EnqueueOptions>> enqueueChanges() {
    return List.of(
        change("priority", o -> o.priority(3)),
        change("delay", o -> o.delay(ofSeconds(3))),
        change("visibleAt", o -> o.visibleAt(NOON)),
        change("maxAttempts", o -> o.maxAttempts(3)),
        change("backoff", o -> o.backoff(FIXED)),
        change("leaseDuration", o -> o.leaseDuration(ofSeconds(3))),
        change("weight", o -> o.weight(3)),
        change("headers", o -> o.headers(Map.of("a", "b"))),
        change("type", o -> o.type("resize")),
        change("timeToLive", o -> o.timeToLive(ofSeconds(3))),
        change("resultRetention unique", o -> o.resultRetention(ofSeconds(3)).unique("a")),
        change("concurrencyKey", o -> o.concurrencyKey("ada")),
        change(
            "engineConcurrencyKey engineConcurrencyMost", o -> o.engineConcurrencyKey("host", 2)),
        change(
            "engineRateKey engineRateLimit",
            o -> o.engineRateLimit("relay", RateLimit.of(3, ofSeconds(1)))),
        change("batch", o -> o.batch(new BatchId(3))));
  }

  private static List<Change<ClaimOptions>> claimChanges() {
    return List.of(
        change("max", o -> o.max(3)),
        change("leaseDuration", o -> o.leaseDuration(ofSeconds(3))),
        change("capacity", o -> o.capacity(3)),
        change("maxWeight", o -> o.maxWeight(3)),
        change("maxBytes", o -> o.maxBytes(3)),
        change("maxPerQueue", o -> o.maxPerQueue(Map.of(QueueName.of("mail"), 3))),
        change("waiting", o -> o.waiting(ofSeconds(3))));
  }

  private static List<Change<FailOptions>> failChanges() {
    return List.of(
        change("delay", o -> o.delay(ofSeconds(3))),
        change("backoff", o -> o.backoff(Backoff.fixed(ofSeconds(2)))));
  }

  private static List<Change<UpdateOptions>> updateChanges() {
    return List.of(
        change("priority", o -> o.priority(3)),
        change("weight", o -> o.weight(3)),
        change("payload", o -> o.payload("a".getBytes(UTF_8))),
        change("headers", o -> o.headers(Map.of("a", "b"))),
        change("maxAttempts", o -> o.maxAttempts(3)),
        change("backoff", o -> o.backoff(FIXED)),
        change("leaseDuration", o -> o.leaseDuration(ofSeconds(3))));
  }

  private static List<Change<QueueSettings>> settingsChanges() {
    return List.of(
        change("leaseDuration setHere", o -> o.leaseDuration(ofSeconds(3))),
        change("depthMax setHere", o -> o.depthMax(3)),
        change("expiry setHere", o -> o.expiry(Expiry.BACKOFF)),
        change("maxAttempts backoff setHere", o -> o.retry(3, FIXED)),
        change("resultRetention setHere", o -> o.resultRetention(ofSeconds(3))),
        change("deadRetention setHere", o -> o.deadRetention(ofSeconds(3))),
        change("perKey setHere", o -> o.perKey(3)),
        change("keyOrder setHere", o -> o.keyOrder(QueueSettings.KeyOrder.STRICT)),
        change("rateLimit setHere", o -> o.rateLimit(RateLimit.of(3, ofSeconds(1)))),
        change("rateLimitPerKey setHere", o -> o.rateLimitPerKey(RateLimit.of(3, ofSeconds(1)))),
        change("share setHere", o -> o.share(3)));
  }

  private static List<Change<EngineOptions>> engineChanges() {
    EngineListener listener = new EngineListener() {};
    RetentionListener retention = jobs -> {};
    EngineClock clock = new StoppedClock();
    return List.of(
        change("durability", o -> o.durability(Durability.BUFFERED)),
        change("leasesAtOpen", o -> o.leasesAtOpen(LeasesAtOpen.HONOUR)),
        change("honourGrace", o -> o.honourGrace(ofSeconds(3))),
        change("claimsAnswer", o -> o.claimsAnswer(ClaimsAnswer.AFTER_COMMIT)),
        change("ringSize", o -> o.ringSize(64)),
        change("overloadWait", o -> o.overloadWait(ofSeconds(3))),
        change("windowBytesMax", o -> o.windowBytesMax(EngineOptions.WINDOW_BYTES_LEAST)),
        change("leaseCountMax", o -> o.leaseCountMax(3)),
        change("parkedClaimCountMax", o -> o.parkedClaimCountMax(3)),
        change("awaitCountMax", o -> o.awaitCountMax(3)),
        change("queueIdle", o -> o.queueIdle(ofSeconds(3))),
        change("emptyQueueKept", o -> o.emptyQueueKept(ofSeconds(3))),
        change("bufferedSyncInterval", o -> o.bufferedSyncInterval(ofSeconds(3))),
        change("stallThreshold", o -> o.stallThreshold(ofSeconds(3))),
        change("futureExecutor", o -> o.futureExecutor(Runnable::run)),
        change("clock", o -> o.clock(clock)),
        change("forTests", o -> o.forTests(tests -> tests.randomSeed(3))),
        change("listeners", o -> o.listener(listener)),
        change("name", o -> o.name("shop")),
        change("management", o -> o.management(Management.OFF)),
        change("retentionListener", o -> o.retentionListener(retention)),
        change("closeAtShutdown", o -> o.closeAtShutdown(false)),
        change("reopenAfter", o -> o.reopenAfter(List.of(ofSeconds(3)))),
        change("callTimeout", o -> o.callTimeout(ofSeconds(3))));
  }

  private static List<Change<TestOptions>> testChanges() {
    return List.of(
        change("randomSeed", o -> o.randomSeed(3)),
        change("spreadBackoffs", o -> o.spreadBackoffs(false)),
        change("processStart", o -> o.processStart(NOON)));
  }

  private static List<Change<JobFilter>> filterChanges() {
    return List.of(
        change("states", o -> o.states(Set.of(JobState.READY, JobState.DEAD))),
        change("states", o -> o.state(JobState.READY)),
        change("queueName tenant", o -> o.queue(new QueueName("mail", "acme"))),
        change("queueName", o -> o.queueName("mail")),
        change("tenant", o -> o.tenant("acme")),
        change("priorityLeast priorityMost", o -> o.priority(-1, 1)),
        change("attemptsLeast attemptsMost", o -> o.attempts(1, 3)),
        change("enqueuedSince", o -> o.enqueuedSince(NOON)),
        change("enqueuedBefore", o -> o.enqueuedBefore(NOON)),
        change("errorContains", o -> o.errorContains("refused")),
        change("type uniqueKey", o -> o.type("resize").uniqueKey("welcome")),
        change("concurrencyKey", o -> o.concurrencyKey("ada")),
        change("batch", o -> o.batch(new BatchId(3))),
        change("stuckBefore", o -> o.stuckBefore(NOON)),
        change("headers", o -> o.header("customer", "42")));
  }

  private static List<Change<DeadFilter>> deadFilterChanges() {
    return List.of(
        change("errorContains", o -> o.errorContains("refused")),
        change("diedBefore", o -> o.diedBefore(NOON)),
        change("diedSince", o -> o.diedSince(NOON)));
  }

  private static final class StoppedClock implements EngineClock {
    @Override
    public long epochMs() {
      return 0;
    }

    @Override
    public long monotonicNs() {
      return 0;
    }

    @Override
    public void parkNs(long durationNs) {}
  }

  /** What the public accessors tell, by their names. */
  private static Map<String, Object> told(Object options) {
    Map<String, Object> told = new TreeMap<>();
    for (Method method : options.getClass().getDeclaredMethods()) {
      boolean isAccessor =
          (method.getModifiers() & (Modifier.PUBLIC | Modifier.STATIC)) == Modifier.PUBLIC
              && method.getParameterCount() == 0
              && !method.getName().equals("texts") // the same once more, in words
              && method.getReturnType() != options.getClass();
      if (isAccessor) {
        told.put(method.getName(), byValue(call(method, options)));
      }
    }
    return told;
  }

  private static Object call(Method method, Object options) {
    try {
      return method.invoke(options);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new AssertionError(method.getName(), e);
    }
  }

  private static Object byValue(Object value) {
    return value instanceof Optional<?> held && held.orElse(null) instanceof byte[] bytes
        ? Optional.of(ByteBuffer.wrap(bytes))
        : value;
  }

  private static Set<String> differences(Object one, Object other) {
    Map<String, Object> left = told(one);
    Map<String, Object> right = told(other);
    Set<String> names = new TreeSet<>(left.keySet());
    names.removeIf(name -> left.get(name).equals(right.get(name)));
    return names;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void changes_all_areTriedHere(Kind<?> kind) {
    Set<String> accessors = new TreeSet<>(told(kind.start()).keySet());
    kind.changes().forEach(change -> accessors.removeAll(change.told()));

    accessors.removeAll(Set.of("worker", "retry"));

    assertThat(accessors).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void change_each_changesJustItsFieldAndLeavesTheOldOneAsItWas(Kind<?> kind) {
    Map<String, Object> before = told(kind.start());
    String textBefore = kind.start().toString();
    for (Change<?> change : kind.changes()) {
      Object changed = kind.changed(kind.start(), change);

      assertThat(differences(kind.start(), changed)).isEqualTo(new TreeSet<>(change.told()));
      assertThat(changed).as("%s", change).isNotEqualTo(kind.start());
      assertThat(changed.toString()).isNotEqualTo(textBefore);
      assertThat(told(kind.start())).isEqualTo(before);
      assertThat(kind.start()).hasToString(textBefore);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void change_sameOneTwice_areEqualInAllRespects(Kind<?> kind) {
    for (Change<?> change : kind.changes()) {
      if (!change.told().contains("futureExecutor")) {
        Object one = kind.changed(kind.start(), change);
        Object other = kind.changed(kind.start(), change);

        assertThat(one).isNotSameAs(other).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one).hasToString(other.toString());
        assertThat(kind.changed(one, change).equals(one))
            .as("%s once more changes nothing", change)
            .isEqualTo(!change.told().contains("listeners"));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void changes_ofDifferentFields_areTheSameInEitherOrder(Kind<?> kind) {
    for (Change<?> one : kind.changes()) {
      for (Change<?> other : kind.changes()) {
        if (areIndependent(one, other)) {
          Object oneFirst = kind.changed(kind.changed(kind.start(), one), other);
          Object otherFirst = kind.changed(kind.changed(kind.start(), other), one);

          Set<String> both = new TreeSet<>(one.told());
          both.addAll(other.told());
          assertThat(differences(kind.start(), oneFirst)).isEqualTo(both);
          assertThat(told(oneFirst)).isEqualTo(told(otherFirst));
        }
      }
    }
  }

  private static boolean areIndependent(Change<?> one, Change<?> other) {
    Set<String> shared = new TreeSet<>(one.told());
    shared.retainAll(other.told());
    shared.remove("setHere");
    boolean areInPlaceOfEachOther =
        areBothOf(one, other, "delay", "visibleAt")
            || areBothOf(
                one, other, "concurrencyKey", "engineConcurrencyKey", "engineConcurrencyMost");
    // Each mention of a method is an executor of its own.
    boolean isExecutor =
        one.told().contains("futureExecutor") || other.told().contains("futureExecutor");
    return shared.isEmpty() && !areInPlaceOfEachOther && !isExecutor;
  }

  private static boolean areBothOf(Change<?> one, Change<?> other, String... fields) {
    Set<String> known = Set.of(fields);
    return known.containsAll(one.told()) && known.containsAll(other.told());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void toString_everyAccessor_isNamed(Kind<?> kind) {
    String text = kind.start().toString();

    assertThat(text).startsWith(kind.type().getSimpleName() + "[").endsWith("]");
    told(kind.start()).keySet().forEach(name -> assertThat(text).contains(name + "="));
  }

  @Test
  void equals_optionsOfAnotherClass_areNotEqual() {
    List<Object> all = new ArrayList<>(kinds().<Object>map(Kind::start).toList());
    for (Object one : all) {
      assertThat(all.stream().filter(one::equals)).containsExactly(one);
      assertThat(one).isNotEqualTo(null).isNotEqualTo("text");
    }
  }

  @Test
  void delayAndVisibleAt_theLaterCallHolds() {
    EnqueueOptions delayed = EnqueueOptions.DEFAULT.visibleAt(NOON).delay(ofSeconds(3));
    EnqueueOptions timed = EnqueueOptions.DEFAULT.delay(ofSeconds(3)).visibleAt(NOON);

    assertThat(delayed).isEqualTo(EnqueueOptions.DEFAULT.delay(ofSeconds(3)));
    assertThat(timed).isEqualTo(EnqueueOptions.DEFAULT.visibleAt(NOON));
  }

  @Test
  void header_newAndOldNames_areAddedOrReplaced() {
    EnqueueOptions one = EnqueueOptions.DEFAULT.header("a", "1");
    EnqueueOptions two = one.header("b", "2").header("a", "3");

    assertThat(one.headers()).containsExactly(Map.entry("a", "1"));
    assertThat(two.headers()).containsExactly(Map.entry("a", "3"), Map.entry("b", "2"));
    assertThat(EnqueueOptions.DEFAULT.headers(Map.of("a", "1"))).isEqualTo(one);
    assertThat(two.headers(Map.of()).headers()).isEmpty();
  }

  @Test
  void header_badOnes_areRefusedWithTheirNameAndLimit() {
    EnqueueOptions full = EnqueueOptions.DEFAULT;
    for (int i = 0; i < Limits.HEADER_COUNT_MAX; i++) {
      full = full.header("name " + i, "");
    }
    EnqueueOptions most = full;
    assertThat(most.header("name 0", "other").headers()).hasSize(Limits.HEADER_COUNT_MAX);

    assertThatThrownBy(() -> most.header("one more", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("number of headers is out of range: value=65, least=0, most=64");
    assertThatThrownBy(() -> EnqueueOptions.DEFAULT.header("", "value"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("header name");
    assertThatThrownBy(() -> EnqueueOptions.DEFAULT.header("long", "x".repeat(8_189)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "length of all headers in bytes is out of range: value=8193, least=0, most=8192");
    assertThatThrownBy(() -> EnqueueOptions.DEFAULT.header(none(), "value"))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("header name");
    assertThatThrownBy(() -> EnqueueOptions.DEFAULT.header("empty", none()))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("header empty");
  }

  @SuppressWarnings("NullAway") // A caller's mistake.
  private static String none() {
    return null;
  }

  @Test
  void whatIsHandedIn_changedAfterwards_changesNothing() {
    Map<String, String> headers = new LinkedHashMap<>(Map.of("a", "1"));
    EnqueueOptions enqueue = EnqueueOptions.DEFAULT.headers(headers);
    UpdateOptions updated = UpdateOptions.NOTHING.headers(headers);
    byte[] payload = "old".getBytes(UTF_8);
    UpdateOptions update = UpdateOptions.NOTHING.payload(payload);
    Set<JobState> states = EnumSet.of(JobState.READY);
    JobFilter filter = JobFilter.ALL.states(states);
    List<Duration> waits = new ArrayList<>(List.of(ofSeconds(1)));
    EngineOptions engine = EngineOptions.DEFAULT.reopenAfter(waits);

    headers.put("a", "2");
    Arrays.fill(payload, (byte) 0);
    Arrays.fill(update.payload().orElseThrow(), (byte) 0);
    states.add(JobState.DEAD);
    waits.add(ofSeconds(2));

    assertThat(enqueue.headers()).isEqualTo(Map.of("a", "1"));
    assertThat(updated.headers()).contains(Map.of("a", "1"));
    assertThat(update).isEqualTo(UpdateOptions.NOTHING.payload("old".getBytes(UTF_8)));
    assertThat(filter.states()).containsExactly(JobState.READY);
    assertThat(engine.reopenAfter()).containsExactly(ofSeconds(1));
  }

  @Test
  void whatIsHandedOut_cannotBeChanged() {
    EnqueueOptions enqueue = EnqueueOptions.DEFAULT.header("a", "1");
    UpdateOptions update = UpdateOptions.NOTHING.headers(Map.of("a", "1"));
    QueueSettings settings = QueueSettings.DEFAULT.depthMax(3);

    assertUnchangeable(() -> enqueue.headers().put("b", "2"));
    assertUnchangeable(() -> update.headers().orElseThrow().put("b", "2"));
    assertUnchangeable(() -> JobFilter.ALL.states().clear());
    assertUnchangeable(() -> settings.setHere().clear());
    assertUnchangeable(() -> EngineOptions.DEFAULT.listeners().add(new EngineListener() {}));
    assertUnchangeable(() -> EngineOptions.DEFAULT.reopenAfter().clear());
  }

  private static void assertUnchangeable(Runnable change) {
    assertThatThrownBy(change::run).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void listener_second_isBesideTheFirst() {
    EngineListener one = new EngineListener() {};
    EngineListener other = new EngineListener() {};

    assertThat(EngineOptions.DEFAULT.listener(one).listener(other).listeners())
        .containsExactly(one, other);
  }

  @Test
  void forTests_secondChange_isBesideTheFirst() {
    EngineOptions options =
        EngineOptions.DEFAULT
            .forTests(tests -> tests.randomSeed(7))
            .forTests(tests -> tests.processStart(NOON));

    assertThat(options.forTests()).isEqualTo(TestOptions.DEFAULT.randomSeed(7).processStart(NOON));
  }
}
