package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Holder;
import io.millrace.api.Explanation.KeyTaken;
import io.millrace.api.Job;
import io.millrace.api.JobEvent;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.NotAllowedException;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.BatchCalls;
import io.millrace.protocol.Call;
import io.millrace.protocol.JobCalls;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.LeaseRef;
import io.millrace.protocol.ListenCalls.Listen;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.QueueCalls;
import io.millrace.protocol.ReadCalls;
import io.millrace.protocol.TransactionCalls.Step;
import io.millrace.protocol.TransactionCalls.Transact;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60) // Some wait without end for what must come.
class QueueRulesTest {

  private static final QueueName MINE = new QueueName("mine", "");
  private static final QueueName OTHER = new QueueName("other", "");

  private JobEngine engine;
  private Dispatch dispatch;
  private JobId job;
  private JobId otherJob;
  private String listener;
  private String otherListener;

  @BeforeEach
  void open() throws Exception {
    engine = JobEngine.open("memory:rules-" + UUID.randomUUID());
    dispatch = new Dispatch(engine, Runnable::run, Runnable::run, 1_000);
    job = enqueued(MINE);
    otherJob = enqueued(OTHER);
    listener = listening(Optional.of(MINE));
    otherListener = listening(Optional.of(OTHER));
  }

  @AfterEach
  void close() throws InterruptedException {
    dispatch.close(1_000);
    engine.close();
  }

  private JobId enqueued(QueueName queue) {
    return engine.queue(queue).enqueue(new byte[] {7}, EnqueueOptions.DEFAULT).jobId();
  }

  private String listening(Optional<QueueName> queue) throws Exception {
    Handler.Told told =
        ask(new Listen(queue, EnumSet.allOf(JobEvent.Kind.class)), Rights.ALL)
            .get(20, TimeUnit.SECONDS);
    return Protocol.of(Listen.class).decodeAnswer(told.message()).id();
  }

  @SuppressWarnings("unchecked")
  private <C extends Call<A>, A> CompletableFuture<Handler.Told> ask(Call<?> call, Rights rights) {
    Operation<C, A> operation = Protocol.of((Class<C>) call.getClass());
    return dispatch.carryOut(
        dispatch.handlers().get(operation.name()), rights, operation.encode((C) call));
  }

  private static Rights of(String... queues) {
    return new Rights(
        EnumSet.allOf(Role.class),
        Optional.of(Set.of(queues).stream().map(QueuePattern::of).collect(Collectors.toSet())));
  }

  private boolean isRefused(Call<?> call, Rights rights) {
    return ask(call, rights)
        .handle((told, thrown) -> thrown instanceof NotAllowedException)
        .getNow(false);
  }

  private SampleCalls samples() {
    return new SampleCalls(MINE, job, listener);
  }

  @Test
  void eachOperation_hasARuleAndASample() {
    Set<Class<?>> calls =
        Protocol.operations().stream().map(Operation::call).collect(Collectors.toSet());

    assertThat(calls).allMatch(QueueRules::has);
    List<Call<?>> sampled = new ArrayList<>(samples().ofQueue());
    sampled.addAll(SampleCalls.ofWhatIsShared());
    assertThat(sampled).<Class<?>>map(Object::getClass).containsAll(calls);
  }

  @Test
  void eachCall_onWhatTheTokenIsFor_isAllowed() {
    Handler.Served served =
        new Handler.Served(
            engine, Runnable::run, Runnable::run, new HeldListenings(System::nanoTime));
    QueueCheck check =
        new QueueCheck(
            "call", of("mine").queues().orElseThrow(), served); // It refuses by throwing.

    List<Call<?>> calls = samples().ofQueue();
    calls.forEach(call -> QueueRules.check(call, check));
    assertThat(calls).hasSizeGreaterThan(40);
  }

  @Test
  void callThatWaits_ofATokenForSomeQueues_isEndedWithItsCaller() {
    CompletableFuture<Handler.Told> waiting =
        ask(
            new LeaseCalls.Claim(
                List.of(new QueueName("empty", "")),
                List.of(),
                ClaimOptions.by("w").waiting(Duration.ofMinutes(1))),
            of("empty"));
    awaitClaims(1);

    waiting.cancel(false);

    awaitClaims(0);
  }

  private void awaitClaims(int count) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (engine.metrics().parkedClaimCount() != count) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void eachCall_onWhatBelongsToAll_isRefused() {
    assertThat(SampleCalls.ofWhatIsShared()).allMatch(call -> isRefused(call, of("mine", "*@*")));
  }

  @Test
  void eachCall_thatNamesAThingOfOthers_isRefusedAndNothingHappens() {
    Job before = engine.get(otherJob).orElseThrow();
    List<Call<?>> wrong = new ArrayList<>();
    samples().ofQueue().forEach(call -> others(call).forEach(it -> wrong.add((Call<?>) it)));
    new SampleCalls(OTHER, otherJob, otherListener).ofQueue().forEach(wrong::add);
    wrong.removeIf(ReadCalls.Now.class::isInstance); // It names nothing.

    assertThat(wrong).hasSizeGreaterThan(100).allMatch(call -> isRefused(call, of("mine")));

    assertThat(engine.get(otherJob).orElseThrow()).usingRecursiveComparison().isEqualTo(before);
    assertThat(engine.settings(OTHER)).isEqualTo(QueueSettings.DEFAULT);
    assertThat(engine.peek(OTHER, JobState.READY, PageRequest.first(10)).items()).hasSize(1);
    assertThat(ask(new ReadCalls.Get(otherJob), of("other"))).isCompleted();
  }

  /** Returns copies of a value in each of which one queue, job or batch is another. */
  private List<Object> others(@Nullable Object value) {
    List<Object> others = new ArrayList<>();
    if (value instanceof QueueName) {
      others.add(OTHER);
    } else if (value instanceof JobId) {
      others.add(otherJob);
    } else if (value instanceof BatchId id) {
      others.add(new BatchId(id.value() + 1));
    } else if (value instanceof Optional<?> optional) {
      optional.ifPresent(it -> others(it).forEach(other -> others.add(Optional.of(other))));
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        for (Object other : others(list.get(i))) {
          List<Object> changed = new ArrayList<>(list);
          changed.set(i, other);
          others.add(changed);
        }
      }
    } else if (value instanceof Record of) {
      others.addAll(otherRecords(of));
    }
    return others;
  }

  private List<Object> otherRecords(Record of) {
    try {
      RecordComponent[] components = of.getClass().getRecordComponents();
      Class<?>[] types = new Class<?>[components.length];
      Object[] values = new Object[components.length];
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        components[i].getAccessor().setAccessible(true);
        values[i] = components[i].getAccessor().invoke(of);
      }
      var constructor = of.getClass().getDeclaredConstructor(types);
      constructor.setAccessible(true);
      List<Object> others = new ArrayList<>();
      for (int i = 0; i < values.length; i++) {
        for (Object other : others(values[i])) {
          Object[] changed = values.clone();
          changed[i] = other;
          others.add(constructor.newInstance(changed));
        }
      }
      return others;
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void jobs_withOptionsThatReachOthers_areRefused() {
    EnqueueOptions none = EnqueueOptions.DEFAULT;
    List<EnqueueOptions> reaching =
        List.of(
            none.batch(new BatchId(1)),
            none.engineConcurrencyKey("key", 1),
            none.engineRateLimit("key", new RateLimit(1, Duration.ofSeconds(1), 1)));
    for (EnqueueOptions options : reaching) {
      NewJob reaches = new NewJob(new byte[0], options);
      NewJob plain = new NewJob(new byte[0], none);
      assertThat(isRefused(new JobCalls.Submit(MINE, reaches, Optional.empty()), of("mine")))
          .isTrue();
      assertThat(
              isRefused(
                  new JobCalls.Enqueue(MINE, List.of(plain, reaches), Optional.empty()),
                  of("mine")))
          .isTrue();
      Step step = new Step.Enqueue(MINE, reaches, Optional.empty(), Optional.empty());
      assertThat(isRefused(new Transact(List.of(), List.of(step), Optional.empty()), of("mine")))
          .isTrue();
    }
    NewJob follows = new NewJob(new byte[0], none.engineConcurrencyKey("key", 1));
    for (Batch batch :
        List.of(
            Batch.of("b").add(OTHER, new NewJob(new byte[0], none)),
            Batch.of("b").whenDone(OTHER, new NewJob(new byte[0], none)),
            Batch.of("b").whenDone(MINE, follows))) {
      assertThat(isRefused(new BatchCalls.StartBatch(batch, false, Optional.empty()), of("mine")))
          .isTrue();
    }
  }

  @Test
  void waits_forABatch_areRefused() {
    LeaseCalls.WaitFor wait =
        new LeaseCalls.WaitFor(
            new LeaseRef(job, 1),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(new BatchId(1)),
            Optional.empty());
    assertThat(isRefused(wait, of("mine"))).isTrue();
  }

  @Test
  void namesOfAllTenants_needAPatternOfAllTenants() {
    List<Call<?>> calls =
        List.of(
            new LeaseCalls.Claim(List.of(), List.of("mine"), ClaimOptions.by("w")),
            new ReadCalls.Settings(Optional.empty(), Optional.of("mine")),
            new ReadCalls.Jobs(JobFilter.ALL.queueName("mine"), PageRequest.first(1)),
            new QueueCalls.Configure(
                Optional.empty(),
                Optional.of("mine"),
                QueueSettings.DEFAULT,
                QueueSettings.DEFAULT,
                Optional.empty()));
    assertThat(calls).allMatch(call -> isRefused(call, of("mine", "mine@a*", "m*", "other@*")));
    assertThat(calls).noneMatch(call -> isRefused(call, of("mine@*")));
    assertThat(calls).noneMatch(call -> isRefused(call, of("mi*@*")));
  }

  @Test
  void job_thatHasEnded_isStillOfItsQueue() {
    var ended = new ReadCalls.Get(otherJob);
    var mine = new JobCalls.Await(job, true);
    assertThat(engine.cancel(otherJob).isDone()).isTrue();
    assertThat(engine.cancel(job).isDone()).isTrue();

    assertThat(isRefused(ended, of("mine"))).isTrue();
    assertThat(isRefused(mine, of("mine"))).isFalse();
    assertThat(isRefused(new ReadCalls.Get(new JobId(-1, -1)), of("mine"))).isTrue();
  }

  @Test
  void explanation_ofAKeyOfTheEngine_namesNoHolderOfOthers() {
    EnqueueOptions two = EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 2);
    JobId ours = engine.queue(MINE).enqueue(new byte[0], two).jobId();
    JobId theirs = engine.queue(OTHER).enqueue(new byte[0], two).jobId();
    JobId blocked = engine.queue(MINE).enqueue(new byte[0], two).jobId();

    KeyTaken ofMine = explained(blocked, of("mine"));
    KeyTaken ofBoth = explained(blocked, of("mine", "other"));

    assertThat(ofMine.holderCount()).isEqualTo(2);
    assertThat(ofMine.holders()).containsExactly(new Holder(ours, MINE, JobState.READY));
    assertThat(ofMine.sentence())
        .contains("2 jobs of it are ready or running (" + ours + " is ready, and 1 more)")
        .doesNotContain(theirs.toString());
    assertThat(ofBoth.holders())
        .containsExactly(
            new Holder(ours, MINE, JobState.READY), new Holder(theirs, OTHER, JobState.READY));
    assertThat(explained(blocked, Rights.ALL)).isEqualTo(ofBoth);
  }

  private KeyTaken explained(JobId id, Rights rights) {
    ReadCalls.Explain call = new ReadCalls.Explain(id);
    byte[] told = ask(call, rights).join().message();
    Explanation explanation =
        Protocol.of(ReadCalls.Explain.class).decodeAnswer(told).explanation().orElseThrow();
    return (KeyTaken) explanation.reasons().get(0);
  }

  @Test
  void refusal_namesNoQueueOfOthers() {
    assertThatThrownBy(() -> ask(new ReadCalls.Get(otherJob), of("mine", "m@a*")).join())
        .hasRootCauseInstanceOf(NotAllowedException.class)
        .rootCause()
        .hasMessage(
            "the job is of no queue that the token allows: job="
                + otherJob
                + ", call=Get, queues of the token=[m@a*, mine]");
  }

  @Test
  void patterns_matchWhatTheySay() {
    assertThat(matched("mail")).containsExactly("mail");
    assertThat(matched("mail*")).containsExactly("mail", "mailing");
    assertThat(matched("mail@acme")).containsExactly("mail@acme");
    assertThat(matched("mail@a*")).containsExactly("mail@acme", "mail@ab");
    assertThat(matched("mail@*")).containsExactly("mail", "mail@acme", "mail@ab");
    assertThat(matched("*@acme")).containsExactly("mail@acme");
    assertThat(matched("*@*")).hasSize(4);
    for (String wrong : List.of("", "@", "@acme", "mail@", "a*b", "mail@a@b", "m**", "mail@a*b")) {
      assertThatThrownBy(() -> QueuePattern.of(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("queues of a token");
    }
    assertThatThrownBy(() -> Server.on(engine).token("t".repeat(32), Set.of(Role.READ), Set.of()))
        .hasMessage("a token has no queue: give one, or leave queues out");
  }

  private static List<String> matched(String pattern) {
    QueuePattern of = QueuePattern.of(pattern);
    assertThat(of).hasToString(pattern);
    return List.of(
            queue("mail", ""), queue("mailing", ""), queue("mail", "acme"), queue("mail", "ab"))
        .stream()
        .filter(of::matches)
        .map(QueueName::toString)
        .toList();
  }

  private static QueueName queue(String name, String tenant) {
    return new QueueName(name, tenant);
  }
}
