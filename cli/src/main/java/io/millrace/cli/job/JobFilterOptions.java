package io.millrace.cli.job;

import io.millrace.api.JobFilter;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.cli.command.Checked;
import io.millrace.cli.option.FilledConverter;
import io.millrace.cli.option.KeyValue;
import io.millrace.cli.option.QueueOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options that select queues and jobs in them: all conditions of a {@link JobFilter}. */
public final class JobFilterOptions {

  @Mixin private QueueOption queueOption = new QueueOption();

  @Option(names = "--all-tenants", description = "The queues of the name --queue, of all tenants.")
  private boolean isOfAllTenants;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "Jobs in this state; may be given several times: ready, delayed, leased, blocked,"
              + " waiting, dead or done.")
  private List<JobState> states = new ArrayList<>();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      converter = FilledConverter.class,
      description = "Jobs of this type; those without one are of their queue's name.")
  private @Nullable String type;

  @Option(
      names = "--unique-key",
      paramLabel = "KEY",
      converter = FilledConverter.class,
      description = "Jobs enqueued with this unique key, whether they hold it still or not.")
  private @Nullable String uniqueKey;

  @Option(
      names = "--concurrency-key",
      paramLabel = "KEY",
      converter = FilledConverter.class,
      description = "Jobs with this concurrency key, be it of their queue or of the engine.")
  private @Nullable String concurrencyKey;

  @Option(
      names = "--batch",
      paramLabel = "ID",
      converter = FilledConverter.class,
      description = "Jobs of this batch. What the other conditions leave is looked at job by job.")
  private @Nullable String batch;

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      converter = KeyValue.Converter.class,
      description =
          "Jobs with this header; may be given several times, once for each NAME. What the other"
              + " conditions leave is looked at job by job.")
  private List<KeyValue> headers = new ArrayList<>();

  @Option(
      names = "--priority",
      paramLabel = "N",
      converter = FilledConverter.class,
      description = "Jobs of this priority, or of those from one to another: 0..10.")
  private @Nullable String priority;

  @Option(
      names = "--attempts",
      paramLabel = "N",
      converter = FilledConverter.class,
      description = "Jobs that were started so often, the running attempt included: 2, or 1..3.")
  private @Nullable String attempts;

  @Option(
      names = "--enqueued-since",
      paramLabel = "INSTANT",
      converter = FilledConverter.class,
      description = "Jobs enqueued then or later, such as 2030-01-31T12:00:00Z.")
  private @Nullable String enqueuedSince;

  @Option(
      names = "--enqueued-before",
      paramLabel = "INSTANT",
      converter = FilledConverter.class,
      description = "Jobs enqueued earlier than that.")
  private @Nullable String enqueuedBefore;

  @Option(
      names = "--stuck-before",
      paramLabel = "INSTANT",
      converter = FilledConverter.class,
      description = "Jobs that wait for a signal without a deadline, since before that.")
  private @Nullable String stuckBefore;

  @Option(
      names = "--error",
      paramLabel = "TEXT",
      converter = FilledConverter.class,
      description = "Jobs whose last error contains this, in the same case.")
  private @Nullable String error;

  /** Tells whether any of these options was given. */
  public boolean isGiven() {
    return isOfJobs() || queueOption.hasName() || queueOption.hasTenant() || isOfAllTenants;
  }

  /** Tells whether the options select jobs, and not only queues. */
  public boolean isOfJobs() {
    return !states.isEmpty() || !texts().isEmpty();
  }

  /**
   * Returns the one queue that was named, if one was.
   *
   * @throws ParameterException it was not named well
   */
  public Optional<QueueName> queue(CommandLine command) {
    if (isOfAllTenants && !queueOption.hasName()) {
      throw new ParameterException(command, "--all-tenants needs --queue");
    }
    if (isOfAllTenants && queueOption.hasTenant()) {
      throw new ParameterException(command, "--all-tenants goes without --tenant");
    }
    boolean isOfTenant = queueOption.hasTenant() && !queueOption.hasName();
    return isOfTenant
        ? Optional.empty()
        : queueOption.queue(command).filter(one -> !isOfAllTenants);
  }

  /**
   * Returns the filter that the options make up.
   *
   * @throws ParameterException an option is wrong
   */
  public JobFilter filter(CommandLine command) {
    Optional<QueueName> one = queue(command);
    KeyValue.byKey(command, "--header", headers);
    JobFilter filter = states.isEmpty() ? JobFilter.ALL : ofStates(states);
    for (Map.Entry<String, String> text : ofQueues(one).entrySet()) {
      filter = with(command, filter, text);
    }
    for (Map.Entry<String, String> text : texts().entrySet()) {
      filter = with(command, filter, text);
    }
    return filter;
  }

  private static JobFilter ofStates(List<JobState> states) {
    return JobFilter.ALL.states(EnumSet.copyOf(states));
  }

  private static JobFilter with(
      CommandLine command, JobFilter filter, Map.Entry<String, String> text) {
    return Checked.value(command, () -> filter.with(Map.of(text.getKey(), text.getValue())));
  }

  private Map<String, String> ofQueues(Optional<QueueName> one) {
    if (one.isPresent()) {
      return Map.of("queueName", one.get().name(), "tenant", one.get().tenant());
    }
    Map<String, String> texts = new LinkedHashMap<>();
    queueOption.name().ifPresent(name -> texts.put("queueName", name));
    queueOption.tenant().ifPresent(tenant -> texts.put("tenant", tenant));
    return texts;
  }

  /** Returns the conditions on jobs except their states, by the keys of the filter. */
  private Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    put(texts, "type", type);
    put(texts, "uniqueKey", uniqueKey);
    put(texts, "concurrencyKey", concurrencyKey);
    put(texts, "batch", batch);
    put(texts, "priority", priority);
    put(texts, "attempts", attempts);
    put(texts, "enqueuedSince", enqueuedSince);
    put(texts, "enqueuedBefore", enqueuedBefore);
    put(texts, "stuckBefore", stuckBefore);
    put(texts, "errorContains", error);
    headers.forEach(header -> texts.put("header." + header.key(), header.value()));
    return texts;
  }

  private static void put(Map<String, String> texts, String key, @Nullable String value) {
    if (value != null) {
      texts.put(key, value);
    }
  }
}
