package io.millrace.cli;

import io.millrace.api.JobId;
import io.millrace.cli.place.Target;
import io.millrace.cli.text.JsonLines;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What acts on jobs have in common: the store, the jobs, and the report. */
final class JobChange {

  @Mixin private TargetOptions store = new TargetOptions();

  @Option(
      names = "--job",
      paramLabel = "ID",
      required = true,
      converter = JobIdConverter.class,
      description = "This job; may be given several times.")
  private Set<JobId> jobIds = new LinkedHashSet<>();

  @Mixin private JsonOption json = new JsonOption();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** What is done with a job. */
  interface Action {
    Outcome apply(Target target, JobId id);
  }

  /** How it ended: the name of the result, and whether that is what was wanted. */
  record Outcome(String name, boolean isDone) {}

  CommandLine command() {
    return Optional.ofNullable(spec).orElseThrow().commandLine();
  }

  /** Opens the store, does it with each job, and tells of each. */
  int apply(Action action) {
    CommandLine command = command();
    List<String> refused = new ArrayList<>();
    try (Target target = store.toChange(command)) {
      for (JobId id : jobIds) {
        Outcome outcome = action.apply(target, id);
        print(command.getOut(), id, outcome);
        if (!outcome.isDone()) {
          refused.add(id + " (" + outcome.name() + ")");
        }
      }
    }
    if (!refused.isEmpty()) {
      throw new CannotException(
          "not done, the job is gone, or not in a state for it: " + String.join(", ", refused));
    }
    return ExitCode.OK;
  }

  private void print(PrintWriter out, JobId id, Outcome outcome) {
    if (json.isJson()) {
      JsonLines.print(
          out,
          generator -> {
            generator.writeStartObject();
            generator.writeStringField("job", id.toString());
            generator.writeStringField("outcome", outcome.name());
            generator.writeEndObject();
          });
    } else {
      out.printf("%s %s%n", id, outcome.name());
    }
    out.flush();
  }
}
