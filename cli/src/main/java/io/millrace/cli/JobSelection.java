package io.millrace.cli;

import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The jobs that something is to be done with: those that are named, or all that meet a filter. */
final class JobSelection {

  @Option(
      names = "--job",
      paramLabel = "ID",
      converter = JobIdConverter.class,
      description = "This job; may be given several times.")
  private Set<JobId> named = new LinkedHashSet<>();

  @Option(
      names = "--where",
      paramLabel = "KEY=VALUE",
      converter = KeyValue.Converter.class,
      description =
          "All jobs that meet this condition, such as queueName=mail or states=READY,DELAYED; may"
              + " be given several times, once for each KEY. They are only counted without --yes.")
  private List<KeyValue> conditions = new ArrayList<>();

  @Option(names = "--yes", description = "With --where: do it.")
  private boolean isYes;

  /**
   * The filter that says which jobs are meant; empty if these are named.
   *
   * @throws ParameterException it is said wrongly which ones are meant
   */
  Optional<JobFilter> filter(CommandLine command) {
    if (named.isEmpty() == conditions.isEmpty()) {
      throw new ParameterException(command, "say which jobs: --job or --where, one of them");
    }
    if (isYes && conditions.isEmpty()) {
      throw new ParameterException(command, "--yes needs --where");
    }
    Map<String, String> texts = KeyValue.byKey(command, "--where", conditions);
    try {
      return texts.isEmpty() ? Optional.empty() : Optional.of(JobFilter.ALL.with(texts));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, "--where: " + e.getMessage(), e);
    }
  }

  /** The jobs that are named. */
  Set<JobId> named() {
    return named;
  }

  /** Tells whether it is to be done with all that meet the filter; else they are counted. */
  boolean isYes() {
    return isYes;
  }
}
