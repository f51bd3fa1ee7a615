package io.millrace.cli.job;

import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.cli.command.Checked;
import io.millrace.cli.option.JobIdConverter;
import io.millrace.cli.option.KeyValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The jobs that a command changes: those that are named, or all that meet a filter. */
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
   * Returns the filter that selects the jobs; empty if they are named.
   *
   * @throws ParameterException the options for the selection are wrong
   */
  Optional<JobFilter> filter(CommandLine command) {
    if (named.isEmpty() == conditions.isEmpty()) {
      throw new ParameterException(command, "say which jobs: --job or --where, one of them");
    }
    if (isYes && conditions.isEmpty()) {
      throw new ParameterException(command, "--yes needs --where");
    }
    Map<String, String> texts = KeyValue.byKey(command, "--where", conditions);
    return texts.isEmpty()
        ? Optional.empty()
        : Optional.of(Checked.value(command, "--where: ", () -> JobFilter.ALL.with(texts)));
  }

  /** Returns the jobs that are named. */
  Set<JobId> named() {
    return named;
  }

  /**
   * Tells whether the jobs that meet the filter are to be changed; otherwise they are only counted.
   */
  boolean isYes() {
    return isYes;
  }
}
