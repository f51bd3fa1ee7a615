package io.millrace.cli.job;

import io.millrace.api.Limits;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.Checked;
import io.millrace.cli.option.PathConverter;
import io.millrace.cli.place.JobAction;
import io.millrace.cli.text.Reason;
import io.millrace.console.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Changes jobs. */
@Command(
    name = "update",
    description = {
      "Changes jobs that nobody works on, dead letters included; what is not named stays.",
      "The keys are priority, weight, maxAttempts, backoff and leaseDuration, such as PT30S.",
      "Needs --job or --where."
    })
final class JobUpdateCommand extends JobChange {

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "What is to change, such as priority=5 or 'backoff=fixed delay=PT5S'; may be given"
              + " several times.")
  private Map<String, String> texts = new LinkedHashMap<>();

  @Option(
      names = "--payload-from",
      paramLabel = "FILE",
      converter = PathConverter.class,
      description = "The payload is what is in this file.")
  private @Nullable Path payload;

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description = "A header, in place of all that there were; may be given several times.")
  private Map<String, String> headers = new LinkedHashMap<>();

  @Override
  JobAction<Outcome> action() {
    UpdateOptions changes = Checked.value(command(), this::changes);
    if (changes.equals(UpdateOptions.NOTHING)) {
      throw new ParameterException(
          command(), "say what to change: --set KEY=VALUE, --payload-from or --header");
    }
    byte @Nullable [] newPayload = changes.payload().orElse(null);
    @Nullable Map<String, String> newHeaders = changes.headers().orElse(null);
    return named(
        UpdateResult.class,
        (engine, id) -> engine.update(id, changes),
        (engine, id) -> engine.update(id, changes.texts(), newPayload, newHeaders));
  }

  private UpdateOptions changes() {
    UpdateOptions changes = UpdateOptions.NOTHING.with(texts);
    changes = headers.isEmpty() ? changes : changes.headers(headers);
    return payload == null ? changes : changes.payload(read(payload));
  }

  /** Reads the file, but only one byte more than is allowed, which is enough to be refused. */
  private static byte[] read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(Limits.PAYLOAD_BYTES_MAX + 1);
    } catch (IOException e) {
      throw new CannotException(
          "cannot read --payload-from: %s: %s"
              .formatted(Printable.text(file.toString()), Reason.of(e)),
          e);
    }
  }
}
