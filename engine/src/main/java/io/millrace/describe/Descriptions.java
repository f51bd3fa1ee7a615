package io.millrace.describe;

import static io.millrace.describe.Kind.BATCH_ID;
import static io.millrace.describe.Kind.BOOLEAN;
import static io.millrace.describe.Kind.BYTES;
import static io.millrace.describe.Kind.DURATION;
import static io.millrace.describe.Kind.INSTANT;
import static io.millrace.describe.Kind.INT;
import static io.millrace.describe.Kind.JOB_ID;
import static io.millrace.describe.Kind.LONG;
import static io.millrace.describe.Kind.TEXT;
import static io.millrace.describe.Kind.constant;
import static io.millrace.describe.Kind.counts;

import io.millrace.api.BatchStats;
import io.millrace.api.ConnectedClient;
import io.millrace.api.Distribution;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineMetrics;
import io.millrace.api.Explanation;
import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.api.JobState;
import io.millrace.api.LeasedQueue;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.SignalWait;
import io.millrace.api.TableRow;
import io.millrace.api.VerifyReport;
import io.millrace.describe.Description.Attribute;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The descriptions of the objects that an engine tells. */
public final class Descriptions {

  /** A queue's name as part of another object. */
  public static final Description<QueueName> QUEUE_NAME = queueName("queue");

  /** A queue's name as part of an answer about the queue itself. */
  private static final Description<QueueName> OWN_NAME = queueName("name");

  private static final Description<SignalWait> SIGNAL_WAIT =
      Description.<SignalWait>of(SignalWait.class)
          .with("signal", TEXT, SignalWait::signal)
          .with("since", INSTANT, SignalWait::since)
          .as("signalSinceMs", "signalSince")
          .maybe("deadline", INSTANT, SignalWait::deadline)
          .as("signalDeadlineMs", "signalDeadline")
          .build();

  private static final Description<Job.Running> LEASE =
      Description.<Job.Running>of(Job.Running.class)
          .with("token", LONG, Job.Running::token)
          .with("worker", TEXT, Job.Running::worker)
          .with("startedAt", INSTANT, Job.Running::startedAt)
          .with("cancelRequested", Kind.MARK, Job.Running::cancelRequested)
          .build();

  private static final Description<FinishedAttempt> ATTEMPT =
      Description.<FinishedAttempt>of(FinishedAttempt.class)
          .with("attempt", INT, FinishedAttempt::attempt)
          .with("worker", TEXT, FinishedAttempt::worker)
          .with("startedAt", INSTANT, FinishedAttempt::startedAt)
          .with("endedAt", INSTANT, FinishedAttempt::endedAt)
          .maybe("error", TEXT, FinishedAttempt::error)
          .build();

  public static final Description<Job> JOB =
      Description.<Job>of(Job.class)
          .with("id", JOB_ID, Job::id)
          .with("queue", QUEUE_NAME.spread(), Job::queue)
          .with("type", TEXT, Job::type)
          .maybe("uniqueKey", TEXT, Job::uniqueKey)
          .with("state", constant(JobState.class), Job::state)
          .with("priority", INT, Job::priority)
          .with("weight", INT, Job::weight)
          .maybe("concurrencyKey", TEXT, Job::concurrencyKey)
          .maybe("engineConcurrencyKey", TEXT, Job::engineConcurrencyKey)
          .with("engineConcurrencyMost", INT, job -> orNull(job.engineConcurrencyMost()))
          .maybe("engineRateKey", TEXT, Job::engineRateKey)
          .maybe("engineRateLimit", Kind.RATE_LIMIT, Job::engineRateLimit)
          .maybe("batch", BATCH_ID, Job::batch)
          .with("attempts", INT, Job::attempts)
          .with("maxAttempts", INT, Job::maxAttempts)
          .with("backoff", Kind.BACKOFF, Job::backoff)
          .untold()
          .with("enqueuedAt", INSTANT, Job::enqueuedAt)
          .maybe("visibleAt", INSTANT, Job::visibleAt)
          .maybe("diedAt", INSTANT, Job::diedAt)
          .maybe("completedAt", INSTANT, Job::completedAt)
          .maybe("expiresAt", INSTANT, Job::expiresAt)
          .maybe("signalWait", SIGNAL_WAIT.spread(), Job::signalWait)
          .maybe("waitsForBatch", BATCH_ID, Job::waitsForBatch)
          .maybe("lastError", TEXT, Job::lastError)
          .maybe("lease", LEASE, Job::lease)
          .with("headers", Kind.NAMED_TEXTS, Job::headers)
          .with("payload", BYTES, job -> job.payload())
          .maybe("checkpointed", BYTES, Job::checkpointed)
          .told("checkpoint")
          .maybe("result", BYTES, Job::result)
          .with("history", ATTEMPT.eachIfAny(), Job::history)
          .build();

  public static final Description<Page<Job>> JOBS = page("jobs", JOB.each());

  /** Jobs without the bytes of their users: payloads are empty, kept states and results absent. */
  public static final Description<Page<Job>> JOB_HEADS = page("jobs", head().each());

  public static final Description<BatchStats> BATCH =
      Description.<BatchStats>of(BatchStats.class)
          .with("id", BATCH_ID, BatchStats::id)
          .with("name", TEXT, BatchStats::name)
          .maybe("outer", BATCH_ID, BatchStats::outer)
          .with("isSealed", BOOLEAN, BatchStats::isSealed)
          .with("isCancelled", BOOLEAN, BatchStats::isCancelled)
          .with("left", LONG, BatchStats::left)
          .with("running", LONG, BatchStats::running)
          .with("succeeded", LONG, BatchStats::succeeded)
          .with("dead", LONG, BatchStats::dead)
          .with("failed", LONG, BatchStats::failed)
          .with("cancelled", LONG, BatchStats::cancelled)
          .with("expired", LONG, BatchStats::expired)
          .with("purged", LONG, BatchStats::purged)
          .with("lost", LONG, BatchStats::lost)
          .with("retention", DURATION, BatchStats::retention)
          .with("startedAt", INSTANT, BatchStats::startedAt)
          .maybe("endedAt", INSTANT, BatchStats::endedAt)
          .build();

  public static final Description<Page<BatchStats>> BATCHES = page("batches", BATCH.each());

  public static final Description<Page<QueueName>> QUEUES = page("queues", OWN_NAME.each());

  public static final Description<LeasedQueue> QUEUE_LEASE =
      Description.<LeasedQueue>of(LeasedQueue.class)
          .with("queue", OWN_NAME.spread(), LeasedQueue::queue)
          .untold()
          .with("worker", TEXT, LeasedQueue::worker)
          .with("since", INSTANT, LeasedQueue::since)
          .with("until", INSTANT, LeasedQueue::until)
          .build();

  public static final Description<QueueStats> QUEUE =
      Description.<QueueStats>of(QueueStats.class)
          .with("queue", OWN_NAME.spread(), QueueStats::queue)
          .with("serving", constant(QueueStats.Serving.class), QueueStats::serving)
          .with("counts", counts(JobState.class), QueueStats::counts)
          .with("totals", counts(QueueStats.Total.class), QueueStats::totals)
          .maybe("oldestReadyAge", DURATION, QueueStats::oldestReadyAge)
          .maybe("leasedBy", QUEUE_LEASE, QueueStats::leasedBy)
          .as("lease", "leasedBy")
          .build();

  public static final Description<Page<QueueStats>> QUEUE_STATS = page("queues", QUEUE.each());

  private static final Description<EngineHealth.Failure> FAILURE =
      Description.<EngineHealth.Failure>of(EngineHealth.Failure.class)
          .with("error", TEXT, EngineHealth.Failure::error)
          .as("lastError", "lastError")
          .with("at", INSTANT, EngineHealth.Failure::at)
          .as("lastErrorAtMs", "lastErrorAt")
          .build();

  public static final Description<EngineHealth> HEALTH =
      Description.<EngineHealth>of(EngineHealth.class)
          .with("status", Kind.constantAsItIs(EngineHealth.Status.class), EngineHealth::status)
          .with("since", INSTANT, EngineHealth::since)
          .untold()
          .with("reason", Kind.REMARK, EngineHealth::reason)
          .with("warnings", Kind.TEXTS, EngineHealth::warnings)
          .with("clockDivergence", DURATION, EngineHealth::clockDivergence)
          .told("clockAheadMs")
          .maybe("lastError", FAILURE.spread(), EngineHealth::lastError)
          .untold()
          .build();

  private static final Description<Distribution> DISTRIBUTION =
      Description.<Distribution>of(Distribution.class)
          .with("count", LONG, Distribution::count)
          .with("sum", LONG, Distribution::sum)
          .with("p50", LONG, Distribution::p50)
          .with("p90", LONG, Distribution::p90)
          .with("p99", LONG, Distribution::p99)
          .with("max", LONG, Distribution::max)
          .build();

  private static final Description<EngineMetrics.Spread> SPREAD =
      Description.<EngineMetrics.Spread>of(EngineMetrics.Spread.class)
          .with("recent", DISTRIBUTION, EngineMetrics.Spread::recent)
          .with("sinceOpening", DISTRIBUTION, EngineMetrics.Spread::sinceOpening)
          .with("bitLengths", Kind.LONGS, EngineMetrics.Spread::bitLengths)
          .untold()
          .build();

  /**
   * The figures of an engine. The names of counts are told without the word; of a spread, the one
   * who tells chooses the figures that matter.
   */
  public static final Description<EngineMetrics> METRICS =
      Description.<EngineMetrics>of(EngineMetrics.class)
          .with("at", INSTANT, EngineMetrics::at)
          .with("health", HEALTH, EngineMetrics::health)
          .untold()
          .with("openFor", DURATION, EngineMetrics::openFor)
          .with("ringDepth", INT, EngineMetrics::ringDepth)
          .with("ringSize", INT, EngineMetrics::ringSize)
          .with("leaseCount", INT, EngineMetrics::leaseCount)
          .told("leases")
          .with("queueLeaseCount", INT, EngineMetrics::queueLeaseCount)
          .told("queueLeases")
          .with("parkedClaimCount", INT, EngineMetrics::parkedClaimCount)
          .told("waitingClaims")
          .with("rateBucketCount", INT, EngineMetrics::rateBucketCount)
          .told("rateBuckets")
          .with("rateLimitedQueueCount", INT, EngineMetrics::rateLimitedQueueCount)
          .told("rateLimitedQueues")
          .with("tenantNameCount", INT, EngineMetrics::tenantNameCount)
          .told("tenantNames")
          .with("tenantTurnCount", INT, EngineMetrics::tenantTurnCount)
          .told("tenantTurns")
          .with("broadcastCount", INT, EngineMetrics::broadcastCount)
          .told("broadcasts")
          .with("awaitCount", INT, EngineMetrics::awaitCount)
          .told("awaitedEnds")
          .with("listenerCount", INT, EngineMetrics::listenerCount)
          .told("jobListeners")
          .with("waitingEventCount", LONG, EngineMetrics::waitingEventCount)
          .told("waitingEvents")
          .with("missedEventCount", LONG, EngineMetrics::missedEventCount)
          .told("missedEvents")
          .with("duplicateCount", LONG, EngineMetrics::duplicateCount)
          .told("duplicates")
          .with("storeBytes", LONG, EngineMetrics::storeBytes)
          .with("windowBytes", LONG, EngineMetrics::windowBytes)
          .told("memoryBytes")
          .maybe("oldestReaderAge", DURATION, EngineMetrics::oldestReaderAge)
          .with("setAsideCount", LONG, EngineMetrics::setAsideCount)
          .told("setAside")
          .with("tableRowsPut", LONG, EngineMetrics::tableRowsPut)
          .with("tableRowsDeleted", LONG, EngineMetrics::tableRowsDeleted)
          .with("transactionCount", LONG, EngineMetrics::transactionCount)
          .told("transactions")
          .with("transactionCallCount", LONG, EngineMetrics::transactionCallCount)
          .told("transactionCalls")
          .with("transactionConflictCount", LONG, EngineMetrics::transactionConflictCount)
          .told("transactionConflicts")
          .with("operations", counts(QueueStats.Total.class), EngineMetrics::operations)
          .told("jobs")
          .with("commitNs", SPREAD, EngineMetrics::commitNs)
          .untold()
          .with("syncNs", SPREAD, EngineMetrics::syncNs)
          .untold()
          .with("groupRequests", SPREAD, EngineMetrics::groupRequests)
          .untold()
          .build();

  /** A client of a server. The names of counts are told without the word. */
  public static final Description<ConnectedClient> CLIENT =
      Description.<ConnectedClient>of(ConnectedClient.class)
          .with("described", TEXT, ConnectedClient::described)
          .told("client")
          .with("version", TEXT, ConnectedClient::version)
          .with("address", TEXT, ConnectedClient::address)
          .with("since", INSTANT, ConnectedClient::since)
          .with("isConnected", BOOLEAN, ConnectedClient::isConnected)
          .told("connected")
          .with("callCount", INT, ConnectedClient::callCount)
          .told("calls")
          .with("leaseCount", INT, ConnectedClient::leaseCount)
          .told("leases")
          .build();

  private static final Description<Explanation.Holder> HOLDER =
      Description.<Explanation.Holder>of(Explanation.Holder.class)
          .with("jobId", JOB_ID, Explanation.Holder::jobId)
          .as("id", "id")
          .with("queue", QUEUE_NAME.spread(), Explanation.Holder::queue)
          .with("state", constant(JobState.class), Explanation.Holder::state)
          .build();

  private static final Description<Explanation.Ahead> AHEAD =
      Description.<Explanation.Ahead>of(Explanation.Ahead.class)
          .with("count", LONG, Explanation.Ahead::count)
          .with("isExact", BOOLEAN, Explanation.Ahead::isExact)
          .build();

  /**
   * The facts of reasons by the names of their components. A reason has those of its kind; one name
   * is of one type in all kinds.
   */
  private static final Description<Map<String, Object>> FACTS =
      Description.<Map<String, Object>>of(Map.class)
          .with("since", INSTANT, fact("since"))
          .with("until", INSTANT, fact("until"))
          .with("at", INSTANT, fact("at"))
          .with("deadline", INSTANT, fact("deadline"))
          .with("lastClaim", INSTANT, fact("lastClaim"))
          .with("waited", DURATION, fact("waited"))
          .with("why", constant(Explanation.Delay.class), fact("why"))
          .with("status", Kind.constantAsItIs(EngineHealth.Status.class), fact("status"))
          .with("worker", TEXT, fact("worker"))
          .with("cancelRequested", BOOLEAN, fact("cancelRequested"))
          .with("attempts", INT, fact("attempts"))
          .with("error", TEXT, fact("error"))
          .with("type", TEXT, fact("type"))
          .with("weight", INT, fact("weight"))
          .with("capacity", INT, fact("capacity"))
          .with("free", INT, fact("free"))
          .with("id", BATCH_ID, fact("id"))
          .with("name", TEXT, fact("name"))
          .with("left", LONG, fact("left"))
          .with("dead", LONG, fact("dead"))
          .with("deadJobs", Kind.JOB_IDS, fact("deadJobs"))
          .with("isSealed", BOOLEAN, fact("isSealed"))
          .with("key", TEXT, fact("key"))
          .with("isOfEngine", BOOLEAN, fact("isOfEngine"))
          .with("isOfKey", BOOLEAN, fact("isOfKey"))
          .with("limit", INT, fact("limit"))
          .with("holderCount", LONG, fact("holderCount"))
          .with("holders", HOLDER.each(), fact("holders"))
          .with("ahead", AHEAD, fact("ahead"))
          .build();

  private static final Description<ExplanationTexts.Reason> REASON =
      Description.<ExplanationTexts.Reason>of(ExplanationTexts.Reason.class)
          .with("kind", TEXT, ExplanationTexts.Reason::kind)
          .with("sentence", TEXT, ExplanationTexts.Reason::sentence)
          .with("facts", FACTS, ExplanationTexts.Reason::facts)
          .build();

  public static final Description<ExplanationTexts> EXPLANATION =
      Description.<ExplanationTexts>of(ExplanationTexts.class)
          .with("jobId", JOB_ID, ExplanationTexts::jobId)
          .as("id", "id")
          .with("queue", QUEUE_NAME.spread(), ExplanationTexts::queue)
          .with("state", constant(JobState.class), ExplanationTexts::state)
          .with("reasons", REASON.each(), ExplanationTexts::reasons)
          .maybe("earliest", INSTANT, ExplanationTexts::earliest)
          .build();

  public static final Description<SettingsTexts> SETTINGS =
      Description.<SettingsTexts>of(SettingsTexts.class)
          .with("values", Kind.NAMED_TEXTS, SettingsTexts::values)
          .with("inherited", Kind.TEXTS, SettingsTexts::inherited)
          .build();

  public static final Description<Page<String>> TABLES = page("names", Kind.TEXTS);

  public static final Description<TableRow<byte[], byte[]>> TABLE_ROW =
      Description.<TableRow<byte[], byte[]>>of(TableRow.class)
          .with("key", BYTES, TableRow::key)
          .with("value", BYTES, TableRow::value)
          .build();

  public static final Description<Page<TableRow<byte[], byte[]>>> TABLE_ROWS =
      page("rows", TABLE_ROW.each());

  private static final Description<VerifyReport.Problem> PROBLEM =
      Description.<VerifyReport.Problem>of(VerifyReport.Problem.class)
          .with("keyspace", TEXT, VerifyReport.Problem::keyspace)
          .with("key", TEXT, VerifyReport.Problem::key)
          .with("finding", TEXT, VerifyReport.Problem::finding)
          .build();

  public static final Description<VerifyReport> VERIFY_REPORT =
      Description.<VerifyReport>of(VerifyReport.class)
          .with("queueCount", LONG, VerifyReport::queueCount)
          .told("queues")
          .with("jobCount", LONG, VerifyReport::jobCount)
          .told("jobs")
          .with("problemCount", LONG, VerifyReport::problemCount)
          .with("quarantinedCount", LONG, VerifyReport::quarantinedCount)
          .told("quarantined")
          .with("problems", PROBLEM.each(), VerifyReport::problems)
          .build();

  private Descriptions() {}

  /** Returns the description of a page, whose items have this name. */
  public static <V> Description<Page<V>> page(String items, Form<List<V>> form) {
    return Description.<Page<V>>of(Page.class)
        .with("items", form, Page::items)
        .as(items, items)
        .maybe("next", TEXT, Page::next)
        .build();
  }

  private static Description<Job> head() {
    return new Description<>(Job.class, JOB.attributes().stream().map(Descriptions::head).toList());
  }

  private static Attribute<Job, ?> head(Attribute<Job, ?> of) {
    if (of.form() != BYTES) {
      return of;
    }
    byte[] rest = of.accessor().equals("payload") ? new byte[0] : null;
    return new Attribute<>(of.accessor(), of.item(), of.told(), BYTES, job -> rest);
  }

  private static Description<QueueName> queueName(String item) {
    return Description.<QueueName>of(QueueName.class)
        .with("name", TEXT, QueueName::name)
        .as(item, "queue")
        .with("tenant", TEXT, QueueName::tenant)
        .build();
  }

  @SuppressWarnings("unchecked") // whoever names a fact names its type
  private static <V> Function<Map<String, Object>, @Nullable V> fact(String name) {
    return facts -> (V) facts.get(name);
  }

  private static @Nullable Integer orNull(OptionalInt number) {
    return number.isPresent() ? number.getAsInt() : null;
  }
}
