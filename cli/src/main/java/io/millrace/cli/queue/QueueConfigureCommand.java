package io.millrace.cli.queue;

import io.millrace.api.QueueSettings;
import io.millrace.cli.command.Checked;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Changes the settings of a queue. */
@Command(
    name = "configure",
    description = {
      "Changes settings of a queue while it works, and shows what holds then.",
      "The keys are leaseDuration, depthMax, expiry, maxAttempts, backoff, resultRetention,"
          + " deadRetention, perKey, keyOrder, rateLimit, rateLimitPerKey and share; durations are"
          + " as PT30S, rate limits as '100/PT1S burst 10'. The value none takes a limit or a"
          + " retention away, inherit says no more of it."
    })
final class QueueConfigureCommand extends SettingsOfQueue {

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "What is to hold, such as depthMax=1000 or 'backoff=fixed delay=PT5S'; may be given"
              + " several times.")
  private Map<String, String> changes = new LinkedHashMap<>();

  @Override
  public Integer call() {
    if (changes.isEmpty()) {
      throw new ParameterException(command(), "say what is to hold: --set KEY=VALUE");
    }
    Checked.value(command(), "--set: ", () -> QueueSettings.DEFAULT.with(changes));
    return change(changes);
  }
}
