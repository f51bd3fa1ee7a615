package io.millrace.console.api;

import io.millrace.console.act.Action;
import io.millrace.console.act.Actions;
import io.millrace.console.hook.AuditEntry;
import io.millrace.console.http.Parameters;
import io.millrace.console.http.RefusedException;
import io.millrace.console.source.Changes.Outcome;
import io.millrace.console.source.Source;
import java.util.Collection;
import java.util.function.Consumer;

/** The one who carries actions out and writes them down, whether a form or a program asks. */
public final class Performer {

  private final Source source;
  private final Actions actions;
  private final Audit audit;

  /**
   * Creates a performer.
   *
   * @param own is told of each action beside the log
   */
  public Performer(Source source, Actions actions, Consumer<AuditEntry> own) {
    this.source = source;
    this.actions = actions;
    this.audit = new Audit(own);
  }

  /**
   * Returns an action.
   *
   * @throws RefusedException there is none of this name
   */
  public Action get(String name) {
    return actions.get(name);
  }

  public Collection<Action> all() {
    return actions.all();
  }

  /**
   * Carries an action out. If it fails, that is written down, too.
   *
   * @throws RefusedException there is no such action, a parameter is wrong, or nothing can be
   *     changed
   */
  public Outcome perform(Call call, String name, Parameters given) {
    Action action = actions.get(name);
    var changes =
        source
            .changes()
            .orElseThrow(
                () -> new RefusedException(409, "store was opened to be read: nothing changes"));
    try {
      Outcome outcome = action.doing().perform(changes, given);
      audit.add(call, action, given, outcome);
      return outcome;
    } catch (RuntimeException e) {
      audit.add(call, action, given, new Outcome("FAILED: " + e.getMessage(), false));
      throw e;
    }
  }
}
