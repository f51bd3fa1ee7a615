package io.millrace.model.traps;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.Batches;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.Completion;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobAdmin;
import io.millrace.api.JobEvent;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobListener;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.JobSignals;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueLeaseResult;
import io.millrace.api.QueueName;
import io.millrace.api.ResultJobType;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.api.Transaction;
import io.millrace.api.UpdateOptions;
import io.millrace.engine.JobEngine;
import io.millrace.test.TestEngine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The function of a transaction that calls its engine in place of the transaction, by a slip of one
 * word. All calls that there are, found by reflection: a new one has to be put into the list.
 */
@Tag("slow")
class CallsInsideTransactionsTest {

  private static final ResultJobType<String, String> WORK =
      JobType.of("work", Codec.TEXT).returning(Codec.TEXT);

  /** What a transaction has in place of the call, or nothing; or the call is allowed. */
  private static final String DECIDED =
      """
      Batches.await: nothing
      Batches.cancel: nothing
      Batches.get: allowed
      Batches.list: allowed
      Batches.open: tx.open
      Batches.results: allowed
      Batches.seal: tx.seal
      Batches.start: tx.start
      DeadLetters.delete: nothing
      DeadLetters.deleteAll: nothing
      DeadLetters.get: allowed
      DeadLetters.list: allowed
      DeadLetters.redrive: tx.redrive
      DeadLetters.redriveAll: nothing
      JobAdmin.configure: nothing
      JobAdmin.endQueueLease: nothing
      JobAdmin.failStuck: nothing
      JobAdmin.queueLeases: allowed
      JobAdmin.release: tx.release
      JobQueue.claim: nothing
      JobQueue.claimAsync: nothing
      JobQueue.configure: nothing
      JobQueue.deadLetters: allowed
      JobQueue.delete: nothing
      JobQueue.drain: nothing
      JobQueue.endDrain: nothing
      JobQueue.enqueue: tx.enqueue
      JobQueue.enqueueAll: tx.enqueue
      JobQueue.enqueueAllAsync: tx.enqueue
      JobQueue.enqueueAsync: tx.enqueue
      JobQueue.name: allowed
      JobQueue.offer: tx.enqueue
      JobQueue.offerAll: tx.enqueue
      JobQueue.offerAllAsync: tx.enqueue
      JobQueue.offerAsync: tx.enqueue
      JobQueue.pause: nothing
      JobQueue.peek: allowed
      JobQueue.purge: nothing
      JobQueue.resume: nothing
      JobQueue.settings: allowed
      JobQueue.stats: allowed
      JobQueue.submit: tx.enqueue
      JobQueue.submitAsync: tx.enqueue
      JobQueue.with: allowed
      JobQueues.activeQueues: allowed
      JobQueues.admin: allowed
      JobQueues.await: nothing
      JobQueues.batches: allowed
      JobQueues.beforeShutdown: nothing
      JobQueues.cancel: tx.cancel, or tx.cancelIfWaiting,
      JobQueues.cancelIfWaiting: tx.cancel, or tx.cancelIfWaiting,
      JobQueues.claim: nothing
      JobQueues.claimAcrossTenants: nothing
      JobQueues.claimAcrossTenantsAsync: nothing
      JobQueues.claimAsync: nothing
      JobQueues.completeAll: tx.complete
      JobQueues.completeAllAsync: tx.complete
      JobQueues.completeAllWithResults: tx.complete
      JobQueues.completeAllWithResultsAsync: tx.complete
      JobQueues.deadLetters: allowed
      JobQueues.endWait: nothing
      JobQueues.enqueue: tx.enqueue
      JobQueues.enqueueAll: tx.enqueue
      JobQueues.enqueueAsync: tx.enqueue
      JobQueues.explain: allowed
      JobQueues.extendAll: tx.extend
      JobQueues.extendAllAsync: tx.extend
      JobQueues.failAll: tx.fail
      JobQueues.failAllAsync: tx.fail
      JobQueues.get: allowed
      JobQueues.inTransaction: the calls
      JobQueues.lease: allowed
      JobQueues.leaseQueue: nothing
      JobQueues.list: allowed
      JobQueues.listen: nothing
      JobQueues.nextVisible: allowed
      JobQueues.now: allowed
      JobQueues.offer: tx.enqueue
      JobQueues.peek: allowed
      JobQueues.queue: allowed
      JobQueues.queues: allowed
      JobQueues.releaseAll: tx.release
      JobQueues.releaseAllAsync: tx.release
      JobQueues.reschedule: tx.reschedule
      JobQueues.settings: allowed
      JobQueues.signal: tx.signal
      JobQueues.signals: allowed
      JobQueues.stats: allowed
      JobQueues.submit: tx.enqueue
      JobQueues.table: allowed
      JobQueues.tables: allowed
      JobQueues.transact: the calls
      JobQueues.update: tx.update
      JobQueues.verify: allowed
      JobQueues.with: allowed
      JobSignals.broadcast: nothing
      JobSignals.signal: tx.signal
      JobSignals.signalAll: tx.signal
      JobSignals.signalAllAsync: tx.signal
      JobSignals.signalAsync: tx.signal
      Lease.attempt: allowed
      Lease.batch: allowed
      Lease.cancelRequested: allowed
      Lease.checkpoint: tx.checkpoint
      Lease.checkpointAsync: tx.checkpoint
      Lease.checkpointed: allowed
      Lease.close: tx.fail
      Lease.complete: tx.complete
      Lease.completeAsync: tx.complete
      Lease.enqueuedAt: allowed
      Lease.extend: tx.extend
      Lease.extendAsync: tx.extend
      Lease.fail: tx.fail
      Lease.failAsync: tx.fail
      Lease.hasTimedOut: allowed
      Lease.headers: allowed
      Lease.isLastAttempt: allowed
      Lease.jobId: allowed
      Lease.lastError: allowed
      Lease.maxAttempts: allowed
      Lease.payload: allowed
      Lease.priority: allowed
      Lease.queue: allowed
      Lease.release: tx.release tx.snooze
      Lease.releaseAsync: tx.release tx.snooze
      Lease.remaining: allowed
      Lease.signalled: allowed
      Lease.snooze: tx.snooze
      Lease.snoozeAsync: tx.snooze
      Lease.token: allowed
      Lease.type: allowed
      Lease.waitFor: tx.waitFor
      Lease.waitForAsync: tx.waitFor
      Lease.wake: allowed
      Lease.weight: allowed
      Lease.with: allowed
      Lease.worker: allowed
      QueueLease.claim: nothing
      QueueLease.claimAsync: nothing
      QueueLease.close: nothing
      QueueLease.extend: nothing
      QueueLease.queue: allowed
      QueueLease.remaining: allowed
      QueueLease.token: allowed
      QueueLease.worker: allowed
      Table.count: tx.scan
      Table.delete: tx.put, or tx.delete,
      Table.deleteAll: tx.put, or tx.delete,
      Table.deleteAllAsync: tx.put, or tx.delete,
      Table.deleteAsync: tx.put, or tx.delete,
      Table.deleteIf: tx.put, or tx.delete,
      Table.deleteIfAsync: tx.put, or tx.delete,
      Table.drop: nothing
      Table.get: tx.get
      Table.getAll: tx.get
      Table.name: allowed
      Table.put: tx.put, or tx.delete,
      Table.putAll: tx.put, or tx.delete,
      Table.putAllAsync: tx.put, or tx.delete,
      Table.putAsync: tx.put, or tx.delete,
      Table.putIfAbsent: tx.put, or tx.delete,
      Table.putIfAbsentAsync: tx.put, or tx.delete,
      Table.replace: tx.put, or tx.delete,
      Table.replaceAsync: tx.put, or tx.delete,
      Table.scan: tx.scan
      Table.with: allowed
      """;

  /** What only an engine of this process has. */
  private static final String DECIDED_OF_ENGINES =
      """
      JobEngine.backup: nothing
      JobEngine.health: allowed
      JobEngine.isFull: allowed
      JobEngine.metrics: allowed
      JobEngine.poison: allowed
      JobEngine.reopen: nothing
      JobEngine.seenAs: allowed
      """;

  private static final Pattern ADVICE =
      Pattern.compile(
          "call inside the function of a transaction, which may be called several times; nothing"
              + " of it happened: (?:use (.*) of the transaction that the function was given|a"
              + " transaction has no call for it, make it before transact, or after)");

  static List<JobQueues> queues() {
    return List.of(JobEngine.open("memory:calls-inside"), TestEngine.create());
  }

  @ParameterizedTest
  @MethodSource("queues")
  void everyCall_inAFunction_isRefusedAsDecidedAndTheTransactionGoesOn(JobQueues queues) {
    try (queues) {
      Things things = Things.of(queues);

      Set<String> found = new TreeSet<>();
      queues.inTransaction(tx -> found.addAll(things.callAll(tx))).orThrow();

      assertThat(found).containsExactlyElementsOf(DECIDED.lines().toList());
      assertThat(queues.get(things.lease.jobId())).as("what the transaction asked for").isEmpty();
      assertThat(queues.stats(QueueName.of("work")).orElseThrow().count(JobState.READY)).isOne();
      assertThat(things.table.count()).isZero();
    }
  }

  @Test
  void everyCallOfAnEngine_inAFunction_isRefusedAsDecided() {
    try (JobEngine engine = JobEngine.open("memory:calls-inside")) {
      Things things = Things.of(engine);
      Set<String> ofQueues =
          new TreeSet<>(Stream.of(JobQueues.class.getMethods()).map(Method::getName).toList());

      Map<String, Set<String>> found = new TreeMap<>();
      engine
          .inTransaction(
              tx ->
                  Stream.of(JobEngine.class.getDeclaredMethods())
                      .filter(method -> !ofQueues.contains(method.getName()))
                      .forEach(method -> things.call(engine, JobEngine.class, method, found)))
          .orThrow();

      assertThat(Things.lines(found))
          .containsExactlyElementsOf(DECIDED_OF_ENGINES.lines().toList());
      assertThat(engine.metrics().listenerCount()).isZero();
    }
  }

  @Test
  void call_afterAFunctionThatThrew_isAllowed() {
    try (JobEngine engine = JobEngine.open("memory:calls-inside")) {
      JobQueue queue = engine.queue("mail");
      assertThatThrownBy(
              () ->
                  engine.inTransaction(
                      tx -> {
                        throw new AssertionError("in the middle");
                      }))
          .hasMessage("in the middle");

      queue.enqueue(new byte[1]);

      assertThat(queue.stats().orElseThrow().count(JobState.READY)).isOne();
    }
  }

  @Test
  void call_ofAnotherEngineInAFunction_isAllowed() {
    try (JobEngine engine = JobEngine.open("memory:calls-inside");
        JobEngine other = JobEngine.open("memory:calls-of-another")) {
      engine.inTransaction(tx -> other.enqueue(WORK, "text")).orThrow();

      assertThat(other.queue("work").stats().orElseThrow().count(JobState.READY)).isOne();
    }
  }

  @Test
  void look_atALeaseThatWasToldOf_isAllowedInAFunction() {
    try (JobEngine engine = JobEngine.open("memory:calls-inside")) {
      JobId id = engine.enqueue(WORK, "text").jobId();
      long token = engine.queue("work").claim(ClaimOptions.by("worker")).get(0).token();

      byte[] payload =
          engine
              .transact(
                  tx -> {
                    Lease told = engine.with(Durability.BUFFERED).lease(id, token);
                    tx.complete(told);
                    return told.payload();
                  })
              .orThrow();

      assertThat(payload).isEqualTo(Codec.TEXT.encode("text"));
      assertThat(engine.get(id)).isEmpty();
    }
  }

  /** What is there to be called, and what it is called with. */
  private record Things(
      JobQueues queues,
      JobQueue queue,
      Lease lease,
      QueueLease queueLease,
      BatchId batch,
      Table<String, String> table) {

    static Things of(JobQueues queues) {
      queues.enqueue(WORK, "first");
      queues.enqueue(WORK, "second");
      JobQueue queue = queues.queue("work");
      Lease lease = queue.claim(ClaimOptions.by("worker")).get(0);
      QueueLeaseResult leased = queues.leaseQueue(QueueName.of("leased"), "worker");
      return new Things(
          queues,
          queue,
          lease,
          leased.lease().orElseThrow(),
          queues.batches().open(Batch.of("batch")),
          queues.table("t", Codec.TEXT, Codec.TEXT));
    }

    /** Calls all, and then what the transaction is for. */
    List<String> callAll(Transaction tx) {
      Map<String, Set<String>> found = new TreeMap<>();
      callEach(queues, JobQueues.class, found);
      callEach(queue, JobQueue.class, found);
      callEach(queues.signals(), JobSignals.class, found);
      callEach(queues.admin(), JobAdmin.class, found);
      callEach(queues.batches(), Batches.class, found);
      callEach(queue.deadLetters(), DeadLetters.class, found);
      callEach(lease, Lease.class, found);
      callEach(queueLease, QueueLease.class, found);
      callEach(table, Table.class, found);
      tx.complete(lease);
      return lines(found);
    }

    static List<String> lines(Map<String, Set<String>> found) {
      return found.entrySet().stream()
          .map(call -> call.getKey() + ": " + String.join(" ", call.getValue()))
          .toList();
    }

    /** But for those that end the engine, which whoever must may do. */
    private void callEach(Object on, Class<?> type, Map<String, Set<String>> found) {
      Predicate<Method> isToEnd = method -> on == queues && method.getName().equals("close");
      Stream.of(type.getMethods())
          .filter(isToEnd.negate())
          .forEach(method -> call(on, type, method, found));
    }

    void call(Object on, Class<?> type, Method method, Map<String, Set<String>> found) {
      int modifiers = method.getModifiers();
      if (Modifier.isPublic(modifiers) && !Modifier.isStatic(modifiers) && !method.isBridge()) {
        String name = type.getSimpleName() + "." + method.getName();
        found.computeIfAbsent(name, first -> new TreeSet<>()).add(outcome(on, method));
      }
    }

    private String outcome(Object on, Method method) {
      Object[] arguments =
          Arrays.stream(method.getGenericParameterTypes()).map(this::argument).toArray();
      try {
        method.invoke(on, arguments);
        return "allowed";
      } catch (InvocationTargetException e) {
        Matcher advice = ADVICE.matcher(String.valueOf(e.getCause().getMessage()));
        if (!(e.getCause() instanceof IllegalStateException) || !advice.matches()) {
          throw new AssertionError(method + " ended in something else", e.getCause());
        }
        return advice.group(1) == null ? "nothing" : advice.group(1);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }

    private Object argument(Type type) {
      String name = type.getTypeName();
      if (type instanceof Class<?> one) {
        return argument(one);
      }
      return PARTS.entrySet().stream()
          .filter(part -> name.matches(part.getKey()))
          .map(part -> part.getValue().apply(this))
          .findFirst()
          .orElse("text"); // a payload, a key or a value
    }

    private Object argument(Class<?> type) {
      return Stream.of(
              new byte[1],
              "text",
              1L,
              1,
              lease.jobId(),
              batch,
              Batch.of("batch"),
              QueueName.of("work"),
              ofSeconds(1),
              Instant.EPOCH,
              ClaimOptions.by("worker"),
              EnqueueOptions.DEFAULT,
              FailOptions.RETRY,
              UpdateOptions.NOTHING,
              JobState.READY,
              JobFilter.ALL,
              DeadFilter.ALL,
              DeadLetters.Checkpointed.KEEP,
              PageRequest.first(1),
              Durability.BUFFERED,
              (Runnable) () -> {},
              (JobListener) event -> {},
              Path.of("nowhere"))
          .filter(each -> type.isInstance(each) || isUnboxed(type, each))
          .findFirst()
          .orElseThrow(() -> new AssertionError("nothing to hand over: " + type));
    }

    private static boolean isUnboxed(Class<?> type, Object value) {
      return type == long.class && value instanceof Long
          || type == int.class && value instanceof Integer;
    }

    /** Arguments of generic types, by what these look like. */
    private static final Map<String, Function<Things, Object>> PARTS =
        Map.ofEntries(
            Map.entry(".*\\.(Result)?JobType<.*", it -> WORK),
            Map.entry(".*UnaryOperator<.*", it -> UnaryOperator.identity()),
            Map.entry(".*BiFunction<.*", it -> (BiFunction<?, Object, ?>) (payload, o) -> o),
            Map.entry(".*\\.Function<io.*", it -> (Function<Object, Object>) tx -> 1),
            Map.entry(".*Consumer<.*", it -> (Consumer<Object>) tx -> {}),
            Map.entry(".*CompletableFuture<.*", it -> new CompletableFuture<List<Lease>>()),
            Map.entry(".*Codec<.*", it -> Codec.TEXT),
            Map.entry(".*TableRange<.*", it -> TableRange.all()),
            Map.entry(".*Set<.*JobState>", it -> EnumSet.of(JobState.READY)),
            Map.entry(".*Set<.*Kind>", it -> EnumSet.allOf(JobEvent.Kind.class)),
            Map.entry(".*List<.*QueueName>", it -> List.of(QueueName.of("work"))),
            Map.entry(".*List<.*String>", it -> List.of("work")),
            Map.entry(".*List<.*\\.Lease>", it -> List.of(it.lease)),
            Map.entry(".*List<.*NewJob>", it -> List.of(NewJob.of(new byte[1]))),
            Map.entry(".*List<.*JobId>", it -> List.of(it.lease.jobId())),
            Map.entry(".*List<.*Completion>", it -> List.of(new Completion(it.lease, new byte[1]))),
            Map.entry(".*List<.*TableRow<.*", it -> List.of(new TableRow<>("text", "text"))),
            Map.entry(".*List<K>", it -> List.of("text")),
            Map.entry(".*Collection<.*", it -> (Collection<String>) List.of("text")));
  }
}
