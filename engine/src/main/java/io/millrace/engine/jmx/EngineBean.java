package io.millrace.engine.jmx;

import io.millrace.MillraceException;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.management.HealthSnapshot;
import io.millrace.management.JobEngineMXBean;
import io.millrace.management.JobPage;
import io.millrace.management.JobSnapshot;
import io.millrace.management.MetricsSnapshot;
import io.millrace.management.QueuePage;
import io.millrace.management.QueueSnapshot;
import io.millrace.management.VerifySnapshot;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An engine as an MXBean. */
final class EngineBean implements JobEngineMXBean {

  private final Shown shown;

  EngineBean(Shown shown) {
    this.shown = shown;
  }

  @Override
  public String getName() {
    return shown.label().name();
  }

  @Override
  public String getStoreKind() {
    return shown.label().storeKind();
  }

  @Override
  public String getStoreFolder() {
    return shown.label().place();
  }

  @Override
  public MetricsSnapshot getMetrics() {
    return tell(() -> new MetricsShown(shown.metrics().get()));
  }

  @Override
  public HealthSnapshot getHealth() {
    return tell(() -> new HealthShown(shown.health().get()));
  }

  @Override
  public QueuePage queues(@Nullable String cursor) {
    return tell(() -> new QueuesShown(shown.reader().queues(page(cursor, QUEUE_PAGE_SIZE))));
  }

  @Override
  public @Nullable QueueSnapshot queue(String name, String tenant) {
    return orNull(() -> shown.reader().stats(new QueueName(name, tenant)).map(QueueShown::new));
  }

  @Override
  public JobPage peek(String name, String tenant, String state, @Nullable String cursor) {
    return tell(
        () ->
            new JobsShown(
                shown
                    .reader()
                    .peek(new QueueName(name, tenant), state(state), page(cursor, JOB_PAGE_SIZE))));
  }

  @Override
  public @Nullable JobSnapshot job(String id) {
    return orNull(() -> shown.reader().get(JobId.parse(id)).map(JobShown::new));
  }

  @Override
  public JobPage deadLetters(
      String name,
      String tenant,
      @Nullable String errorContains,
      long diedBeforeMs,
      @Nullable String cursor) {
    return tell(
        () ->
            new JobsShown(
                shown
                    .reader()
                    .deadLetters(
                        new QueueName(name, tenant),
                        filter(errorContains, diedBeforeMs),
                        page(cursor, JOB_PAGE_SIZE))));
  }

  @Override
  public String redrive(String id) {
    return tell(
        () ->
            lettersOf(JobId.parse(id))
                .map(letters -> letters.redrive(JobId.parse(id)))
                .orElse(RedriveResult.GONE)
                .name());
  }

  @Override
  public long redriveAll(
      String name, String tenant, @Nullable String errorContains, long diedBeforeMs) {
    return tell(() -> letters(name, tenant).redriveAll(filter(errorContains, diedBeforeMs)));
  }

  @Override
  public boolean deleteDead(String id) {
    return tell(
        () ->
            lettersOf(JobId.parse(id))
                .map(letters -> letters.delete(JobId.parse(id)))
                .orElse(false));
  }

  @Override
  public long deleteAllDead(
      String name, String tenant, @Nullable String errorContains, long diedBeforeMs) {
    return tell(() -> letters(name, tenant).deleteAll(filter(errorContains, diedBeforeMs)));
  }

  @Override
  public VerifySnapshot verify() {
    return tell(() -> new VerifyShown(shown.reader().verify()));
  }

  @Override
  public void backup(String folder) {
    Path path = Path.of(folder);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(
          "folder is not absolute: value=\"" + folder + "\"; name one on the engine's machine");
    }
    tell(
        () -> {
          shown.backup().accept(path);
          return true;
        });
  }

  private DeadLetters letters(String name, String tenant) {
    return shown.deadLetters().apply(new QueueName(name, tenant));
  }

  private Optional<DeadLetters> lettersOf(JobId id) {
    return shown.reader().get(id).map(Job::queue).map(shown.deadLetters());
  }

  private static PageRequest page(@Nullable String cursor, int size) {
    return new PageRequest(size, Optional.ofNullable(cursor));
  }

  private static JobState state(String name) {
    return Arrays.stream(JobState.values())
        .filter(state -> state.name().equals(name.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "state is unknown: value=\""
                        + name
                        + "\", known="
                        + Arrays.toString(JobState.values())));
  }

  private static DeadFilter filter(@Nullable String errorContains, long diedBeforeMs) {
    DeadFilter filter = DeadFilter.ALL;
    if (errorContains != null) {
      filter = filter.errorContains(errorContains);
    }
    return diedBeforeMs == 0 ? filter : filter.diedBefore(Instant.ofEpochMilli(diedBeforeMs));
  }

  private static <T> @Nullable T orNull(Supplier<Optional<T>> question) {
    return tell(question).orElse(null);
  }

  /** What a tool cannot load is not told to it: classes of ours become one of the JDK's. */
  private static <T> T tell(Supplier<T> question) {
    try {
      return question.get();
    } catch (MillraceException e) {
      throw new IllegalStateException(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }
}
