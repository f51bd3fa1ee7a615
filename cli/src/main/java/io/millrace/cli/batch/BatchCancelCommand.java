package io.millrace.cli.batch;

import io.millrace.api.CancelResult;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.command.MillraceCommand;
import io.millrace.cli.option.JsonOption;
import io.millrace.cli.option.TargetOptions;
import io.millrace.cli.place.Target;
import io.millrace.console.text.Amounts;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Cancels a batch. */
@Command(
    name = "cancel",
    description = {
      "Lets a batch take no more jobs, removes those that wait, and asks the workers of the others",
      "to let go of them."
    })
final class BatchCancelCommand extends MillraceCommand {

  @Mixin private TargetOptions store = new TargetOptions();
  @Mixin private BatchOption batch = new BatchOption();
  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    Map<CancelResult, Long> counts;
    try (Target target = store.toChange(command())) {
      counts = target.cancelBatch(batch.id());
    }
    json.answer(
        out(),
        "cancelled " + batch.id() + ": " + told(counts),
        generator -> {
          generator.writeStringField("batch", batch.id().toString());
          for (Map.Entry<CancelResult, Long> each : counts.entrySet()) {
            generator.writeNumberField(each.getKey().name(), each.getValue());
          }
        });
    return ExitCode.OK;
  }

  private static String told(Map<CancelResult, Long> counts) {
    String told =
        counts.entrySet().stream()
            .map(each -> Amounts.count(each.getValue(), "job") + " " + each.getKey())
            .collect(Collectors.joining(", "));
    return told.isEmpty() ? "no jobs" : told;
  }
}
