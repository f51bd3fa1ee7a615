package io.millrace.console.api;

import io.millrace.console.access.Guard;
import io.millrace.console.act.Action;
import io.millrace.console.hook.AuditEntry;
import io.millrace.console.http.Parameters;
import io.millrace.console.source.Changes.Outcome;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The trail of actions: a line of the log for each, and a call of the application's own. */
final class Audit {

  private static final Logger LOG = LoggerFactory.getLogger("io.millrace.console.audit");
  private static final int LENGTH_MAX = 200;

  private final Consumer<AuditEntry> own;

  Audit(Consumer<AuditEntry> own) {
    this.own = own;
  }

  void add(Call call, Action action, Parameters given, Outcome outcome) {
    Map<String, String> parameters =
        given.pairs().stream()
            .filter(each -> !each.getKey().equals(Guard.FORM_TOKEN))
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey, each -> shown(each), (one, other) -> one + "," + other));
    AuditEntry entry =
        new AuditEntry(
            Instant.now(),
            call.visitor().name(),
            call.request().remote().orElse(""),
            action.name(),
            parameters,
            outcome.word());
    LOG.info(
        "visitor={}, remote={}, action={}, outcome={}, parameters={}",
        line(entry.visitor()),
        entry.remote(),
        entry.action(),
        line(entry.outcome()),
        line(parameters.toString()));
    try {
      own.accept(entry);
    } catch (RuntimeException e) {
      LOG.warn("the application's audit has failed: action={}", entry.action(), e);
    }
  }

  /** Returns a value, but of a payload its length: it is nothing for a log. */
  private static String shown(Map.Entry<String, String> given) {
    return given.getKey().equals("payload")
        ? given.getValue().length() + " characters"
        : given.getValue();
  }

  /** Returns a text that begins no new line of the log. */
  private static String line(String text) {
    String shown = text.replaceAll("\\p{Cntrl}", " ");
    return shown.length() <= LENGTH_MAX ? shown : shown.substring(0, LENGTH_MAX) + "...";
  }
}
