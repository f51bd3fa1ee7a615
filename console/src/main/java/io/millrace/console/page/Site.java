package io.millrace.console.page;

import io.millrace.api.QueueName;
import io.millrace.console.http.Parameters;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The values that every page has.
 *
 * @param base the path of the console, without a slash at its end
 * @param name the name of the application
 * @param section the word of the menu that is marked
 * @param visitor the name of the visitor; empty before a login
 * @param canChange whether the visitor may change things, and they can be changed
 * @param canLeave whether the visitor can log out
 * @param formToken the token of the session's forms
 * @param notice a sentence about what the visitor did last; null if there is none
 * @param path the page's own path and query, to come back to
 * @param now the time of the page
 */
public record Site(
    String base,
    String name,
    String section,
    String visitor,
    boolean canChange,
    boolean canLeave,
    String formToken,
    @Nullable String notice,
    String path,
    Instant now) {

  /** Returns the link to a path of the console. */
  public String to(String path) {
    return base + path;
  }

  /** Returns the link to a queue's page. */
  public String to(QueueName queue) {
    return to("/queue" + of(queue).query());
  }

  /** Returns the link to a job's page. */
  public String toJob(Object id) {
    return to("/jobs/" + id);
  }

  /** Returns the link to the jobs of a queue in a state. */
  public String toJobs(QueueName queue, String state) {
    return to("/jobs" + of(queue).with("state", state).query());
  }

  /** Returns a queue as parameters. */
  public static Parameters of(QueueName queue) {
    return Parameters.NONE.with("queueName", queue.name()).with("tenant", queue.tenant());
  }
}
