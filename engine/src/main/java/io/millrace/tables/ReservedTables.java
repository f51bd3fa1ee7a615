package io.millrace.tables;

import io.millrace.api.Limits;
import io.millrace.options.Checks;
import java.util.Set;

/**
 * The names that tables of users cannot have. They begin with {@link #PREFIX}. On disk, never
 * change.
 */
public final class ReservedTables {

  /** The beginning of the names of Millrace's own tables. */
  public static final String PREFIX = "millrace.";

  /** The name of the table of recurring jobs, which works like a user's. */
  public static final String SCHEDULES = PREFIX + "schedules";

  /**
   * The name of the table of jobs that workers cut short because they stopped, with the number of
   * times. It works like a user's.
   */
  public static final String HAND_BACKS = PREFIX + "handbacks";

  /**
   * The name of the table of what outboxes have relayed, and of the id by which databases know the
   * store. It works like a user's.
   */
  public static final String OUTBOX = PREFIX + "outbox";

  private static final Set<String> LIKE_USERS = Set.of(SCHEDULES, HAND_BACKS, OUTBOX);

  private ReservedTables() {}

  /**
   * Tells whether the table of this name is the engine's own, so that users cannot see its rows.
   */
  public static boolean isHidden(String name) {
    return name.startsWith(PREFIX) && !LIKE_USERS.contains(name);
  }

  /**
   * Returns the name if a user's table may have it: if it is as long as a queue name may be, and
   * the table is not hidden.
   *
   * @throws IllegalArgumentException a user's table may not have this name
   */
  public static String userName(String name) {
    Checks.text("table", name, 1, Limits.NAME_BYTES_MAX);
    if (isHidden(name)) {
      throw new IllegalArgumentException(
          "table has a name that is the engine's own: value=\""
              + name
              + "\"; choose one that does not begin with \""
              + PREFIX
              + "\"");
    }
    return name;
  }
}
