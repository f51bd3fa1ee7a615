package io.millrace.internal.read;

import io.millrace.api.Codec;
import io.millrace.api.CorruptDataException;
import io.millrace.api.DeadFilter;
import io.millrace.api.Explanation;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats;
import io.millrace.api.TableReader;
import io.millrace.api.VerifyReport;
import io.millrace.internal.explain.EngineFacts;
import io.millrace.internal.explain.Explainer;
import io.millrace.internal.explain.JobFacts;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.TableCatalog;
import io.millrace.options.Checks;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreUnavailableException;
import io.millrace.spi.ViewEndedException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.LongToIntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A reader that answers questions from a store as it is, beside whatever works on the store.
 *
 * <p>Thread-safe. Each answer comes from one short view: at most {@value Row#CHUNK_ROWS_MAX} rows,
 * and pages end after a second; {@link #verify} takes one view for each queue. If the view ends
 * meanwhile, or the store is closed and the supplier then gives another, the question is put anew,
 * {@value #ASKED_COUNT_MAX} times in all at most.
 */
public final class StoreReader implements JobReader {

  private static final int ASKED_COUNT_MAX = 3;

  /** A receiver of corrupt rows, which is told of each that is met, so that it can set it aside. */
  @FunctionalInterface
  public interface CorruptRows {

    /**
     * Takes note of a row that could not be decoded. Called on the reader's thread, with no view
     * open; must not throw.
     *
     * @param key the row's full key; the receiver's to keep
     */
    void found(byte[] key);
  }

  private final Supplier<OrderedStore> store;
  private final LongSupplier nowMs;
  private final CorruptRows corrupt;
  private final Runnable onClose;
  private final OpenViews views;

  /**
   * Creates a reader of the supplied store that has one clock only, and as many views as it likes.
   *
   * @param store the store as it is open now; asked for each answer
   * @param nowMs the time that ages are measured by, epoch ms
   * @param corrupt is told of every corrupt row met; the caller still gets the exception
   * @param onClose all that {@link #close} does, each time
   */
  public StoreReader(
      Supplier<OrderedStore> store, LongSupplier nowMs, CorruptRows corrupt, Runnable onClose) {
    this(
        store,
        nowMs,
        corrupt,
        onClose,
        new OpenViews(() -> nowMs.getAsLong() * 1_000_000, Integer.MAX_VALUE, Duration.ZERO));
  }

  /**
   * Creates a reader of the supplied store whose views are watched.
   *
   * @param store the store as it is open now; asked for each answer
   * @param nowMs the time that ages are measured by, epoch ms
   * @param corrupt is told of every corrupt row met; the caller still gets the exception
   * @param onClose all that {@link #close} does, each time
   * @param views the views of all readers of the store, of which this one takes its own
   */
  public StoreReader(
      Supplier<OrderedStore> store,
      LongSupplier nowMs,
      CorruptRows corrupt,
      Runnable onClose,
      OpenViews views) {
    this.store = Objects.requireNonNull(store, "store");
    this.nowMs = Objects.requireNonNull(nowMs, "nowMs");
    this.corrupt = Objects.requireNonNull(corrupt, "corrupt");
    this.onClose = Objects.requireNonNull(onClose, "onClose");
    this.views = Objects.requireNonNull(views, "views");
  }

  @Override
  public Page<QueueName> queues(PageRequest page) {
    return queues(page, (rows, row) -> QueueKeys.name(row.key()));
  }

  @Override
  public Page<QueueStats> stats(PageRequest page) {
    long now = nowMs.getAsLong();
    return queues(
        page,
        (rows, row) ->
            QueueFigures.stats(
                rows,
                QueueKeys.name(row.key()),
                rows.decode(row.key(), row.value(), QueueRecord::decode),
                now));
  }

  private <T> Page<T> queues(PageRequest page, BiFunction<ViewRows, Row, T> what) {
    KeyRange all = KeyRange.of(Keyspace.QUEUE);
    Optional<byte[]> from = page.cursor().map(cursor -> Cursors.parse(cursor, all));
    KeyRange rest = all.from(from.orElse(all.startInclusive()));
    return answer(rows -> queues(rows, rest, page.size(), what));
  }

  @Override
  public Optional<QueueStats> stats(QueueName queue) {
    Objects.requireNonNull(queue, "queue");
    return answer(
        rows ->
            rows.queue(queue)
                .map(found -> QueueFigures.stats(rows, queue, found, nowMs.getAsLong())));
  }

  /** Returns the settings that hold for the queue, whether it exists or not. */
  @Override
  public QueueSettings settings(QueueName queue) {
    Objects.requireNonNull(queue, "queue");
    return answer(rows -> rows.settings(queue));
  }

  /** Returns the settings for all queues of the name. */
  @Override
  public QueueSettings settings(String queueName) {
    Checks.text("queueName", queueName, 1, Limits.NAME_BYTES_MAX);
    return answer(rows -> rows.settings(queueName));
  }

  @Override
  public Page<Job> peek(QueueName queue, JobState state, PageRequest page) {
    Objects.requireNonNull(state, "state");
    return jobs(queue, page, pages -> pages.inState(state, page));
  }

  @Override
  public Page<Job> deadLetters(QueueName queue, DeadFilter filter, PageRequest page) {
    Objects.requireNonNull(filter, "filter");
    return jobs(queue, page, pages -> pages.dead(filter, page));
  }

  @Override
  public Optional<Job> get(JobId id) {
    Optional<JobAddress> address = JobAddress.of(id);
    return address.isEmpty() ? Optional.empty() : answer(rows -> get(rows, address.get()));
  }

  /** Returns the queue that has, or had, the job; empty if there is none of its number. */
  public Optional<QueueName> queueOf(JobId id) {
    Optional<JobAddress> address = JobAddress.of(id);
    return address.isEmpty()
        ? Optional.empty()
        : answer(rows -> rows.queueName(address.get().queue()));
  }

  /** Explains why the job is not running, as far as the store alone tells. */
  @Override
  public Optional<Explanation> explain(JobId id) {
    return facts(id).map(job -> Explainer.explain(job, EngineFacts.NONE, nowMs.getAsLong()));
  }

  /**
   * Returns the facts that the store has about the job and about what holds it; empty if the job no
   * longer exists.
   *
   * @throws CorruptDataException its record is damaged
   */
  public Optional<JobFacts> facts(JobId id) {
    Optional<JobAddress> address = JobAddress.of(id);
    return address.isEmpty() ? Optional.empty() : answer(rows -> facts(rows, address.get()));
  }

  @Override
  public Page<Job> list(JobFilter filter, PageRequest page) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(page, "page");
    return answer(rows -> new JobList(rows, filter).page(page));
  }

  @Override
  public Page<QueueName> activeQueues(Instant now, PageRequest page) {
    Checks.instant("now", now);
    Objects.requireNonNull(page, "page");
    return answer(rows -> new VisibleQueues(rows).page(now, page));
  }

  @Override
  public Optional<Instant> nextVisible(QueueName queue) {
    Objects.requireNonNull(queue, "queue");
    return answer(
        rows ->
            rows.queue(queue)
                .flatMap(
                    found ->
                        new VisibleQueues(rows).nextVisible(found.number(), nowMs.getAsLong())));
  }

  @Override
  public Page<String> tables(PageRequest page) {
    KeyRange all = new KeyRange(TableCatalog.start(), TableCatalog.end());
    Optional<byte[]> from = page.cursor().map(cursor -> Cursors.parse(cursor, all));
    return answer(rows -> tables(rows, all.from(from.orElse(all.startInclusive())), page.size()));
  }

  @Override
  public <K, V> TableReader<K, V> table(String name, Codec<K> keys, Codec<V> values) {
    return new StoredTable<>(name, keys, values, this::answer);
  }

  @Override
  public StoredBatches batches() {
    return batches(number -> 0);
  }

  /**
   * Returns the batches of the store.
   *
   * @param running tells how many jobs of the tally of a number are leased now
   */
  public StoredBatches batches(LongToIntFunction running) {
    return new StoredBatches(this::answer, running);
  }

  @Override
  public VerifyReport verify() {
    Findings findings = withStore(opened -> new Verifier(opened, views).run());
    findings.corruptKeys().forEach(corrupt::found);
    return findings.report();
  }

  @Override
  public void close() {
    onClose.run();
  }

  /** Returns a page of what is asked of queues. A damaged row hides no other: verify lists it. */
  private static <T> Page<T> queues(
      ViewRows rows, KeyRange range, int size, BiFunction<ViewRows, Row, T> what) {
    List<T> items = new ArrayList<>();
    @Nullable Row last = null;
    for (Row row : rows.chunk(range, size)) {
      if (last != null && rows.isOverTime()) {
        break;
      }
      last = row;
      try {
        items.add(what.apply(rows, row));
      } catch (CorruptDataException e) {
        continue;
      }
    }
    return new Page<>(
        items, last == null ? Optional.empty() : Optional.of(Cursors.after(last.key())));
  }

  /** Returns a page of tables. The keys say all: a damaged row hides no table. */
  private static Page<String> tables(ViewRows rows, KeyRange range, int size) {
    List<Row> chunk = rows.chunk(range, size + 1);
    List<String> names = new ArrayList<>();
    for (Row row : chunk.subList(0, Math.min(size, chunk.size()))) {
      if (TableCatalog.isKey(row.key())) {
        names.add(TableCatalog.table(row.key()));
      }
    }
    return new Page<>(
        names,
        chunk.size() > size ? Optional.of(Cursors.at(chunk.get(size).key())) : Optional.empty());
  }

  private static Optional<Job> get(ViewRows rows, JobAddress address) {
    return rows.queueName(address.queue())
        .flatMap(
            queue ->
                new JobFinder(rows)
                    .find(address)
                    .map(job -> JobView.withHistory(job, queue, rows)));
  }

  private static Optional<JobFacts> facts(ViewRows rows, JobAddress address) {
    return rows.queueName(address.queue())
        .flatMap(
            queue ->
                new JobFinder(rows)
                    .find(address)
                    .map(job -> new JobHolds(rows, queue, job).facts()));
  }

  private Page<Job> jobs(
      QueueName queue, PageRequest page, Function<JobPages, Page<Job>> question) {
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(page, "page");
    return answer(
        rows -> {
          Optional<QueueRecord> found = rows.queue(queue);
          return found
              .map(record -> question.apply(new JobPages(rows, queue, record.number())))
              .orElseGet(() -> new Page<>(List.of(), Optional.empty()));
        });
  }

  private <T> T answer(Function<ViewRows, T> question) {
    return withStore(opened -> answer(opened, question));
  }

  private <T> T answer(OrderedStore opened, Function<ViewRows, T> question) {
    List<byte[]> damaged = List.of();
    try (ReadView view = views.open(opened)) {
      ViewRows rows = new ViewRows(view, views::nowNs);
      try {
        T answer = question.apply(rows);
        damaged = rows.passedOver();
        return answer;
      } catch (CorruptDataException e) {
        damaged = rows.corruptKeys();
        throw e;
      }
    } finally {
      damaged.forEach(corrupt::found);
    }
  }

  private <T> T withStore(Function<OrderedStore, T> question) {
    return ask(store, question);
  }

  /**
   * Puts a question to the store as it is open now, and again if its view ended, if the store could
   * not be reached, or if it was closed and there is another; {@value #ASKED_COUNT_MAX} times in
   * all at most.
   */
  public static <T extends @Nullable Object> T ask(
      Supplier<OrderedStore> store, Function<OrderedStore, T> question) {
    OrderedStore asked = store.get();
    int left = ASKED_COUNT_MAX;
    while (true) {
      left--;
      try {
        return question.apply(asked);
      } catch (ViewEndedException | StoreUnavailableException e) {
        if (left == 0) {
          throw e;
        }
      } catch (StoreClosedException e) {
        OrderedStore now = store.get();
        if (now == asked || left == 0) {
          throw e;
        }
        asked = now;
      }
    }
  }
}
