package io.millrace.cli.job;

import io.millrace.api.JobId;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.FilledConverter;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.LostCommitsOption;
import io.millrace.cli.option.RunningOptions;
import io.millrace.cli.option.ServerOptions;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.Target;
import io.millrace.cli.text.JsonLines;
import io.millrace.console.text.DescribedJson;
import io.millrace.console.text.Printable;
import io.millrace.describe.Descriptions;
import io.millrace.describe.ExplanationTexts;
import io.millrace.describe.Kind;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Says why a job is not running. */
@Command(
    name = "explain",
    description = {
      "Says why a job is not running: all reasons, what holds it longest first. Changes nothing.",
      "A store that a running engine has open is asked with --pid or through a server, and then"
          + " tells more: who claims, which leases run, and when rate limits let the next job"
          + " start."
    })
public final class ExplainCommand extends MillraceCommand {

  @Parameters(
      index = "0..1",
      arity = "1..2",
      paramLabel = "[STORE] ID",
      hideParamSyntax = true,
      converter = FilledConverter.class,
      description =
          "A store's folder, such as lmdb:millrace-demo/store, which may be left out with --pid, or"
              + " a server, such as millrace://localhost:7171; and the job's id.")
  private List<String> given = new ArrayList<>();

  @Mixin private RunningOptions running = new RunningOptions();
  @Mixin private ServerOptions server = new ServerOptions();
  @Mixin private LostCommitsOption lost = new LostCommitsOption();
  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    CommandLine command = command();
    PrintWriter out = out();
    JobId id = id(command, given.get(given.size() - 1));
    try (Target target = target(command)) {
      ExplanationTexts told =
          target
              .explain(id)
              .orElseThrow(
                  () ->
                      new CannotException(
                          "no such job: it is completed, cancelled or removed, or never was: job="
                              + id));
      if (json.isJson()) {
        JsonLines.print(
            out, generator -> DescribedJson.write(Descriptions.EXPLANATION, told, generator));
      } else {
        print(told, out);
      }
    }
    out.flush();
    return ExitCode.OK;
  }

  private Target target(CommandLine command) {
    String store = given.size() > 1 ? given.get(0) : null;
    return TargetOptions.of(store, running, server, lost).toRead(command);
  }

  private static JobId id(CommandLine command, String text) {
    try {
      return JobId.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command, "invalid value for parameter 'ID': a job id has 32 hexadecimal digits");
    }
  }

  private static void print(ExplanationTexts told, PrintWriter out) {
    out.printf(
        "%s of %s is %s:%n",
        told.jobId(), Printable.text(told.queue().toString()), Kind.word(told.state()));
    told.reasons().forEach(reason -> out.println("- " + Printable.text(reason.sentence())));
    told.earliest().ifPresent(at -> out.println("earliest: " + at));
  }
}
