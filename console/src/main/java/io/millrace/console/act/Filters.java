package io.millrace.console.act;

import io.millrace.api.JobFilter;
import io.millrace.api.JobState;
import io.millrace.console.act.Action.Field;
import io.millrace.console.http.Parameters;
import io.millrace.console.http.RefusedException;
import io.millrace.console.source.Selection;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Selections of jobs as parameters of a request: the conditions of {@link JobFilter}, by name, and
 * {@link #ERROR_LINE}.
 */
public final class Filters {

  /** The parameter for states, which may be given several times. */
  public static final String STATE = "state";

  /** The parameter for headers, each with name and value; may be given several times. */
  public static final String HEADER = "header";

  /** The parameter that lets a form, which sends an empty tenant, mean all of them. */
  public static final String ALL_TENANTS = "allTenants";

  /** The parameter that is a condition if it is given, though it is empty. */
  public static final String ERROR_LINE = "errorLine";

  /** The parameters with one text each, by the keys of {@link JobFilter#texts}. */
  public static final Map<String, String> TEXTS = texts();

  /** All parameters. */
  public static final List<Field> FIELDS = fields();

  /** The beginning of the keys of {@link JobFilter#texts} for headers. */
  private static final String HEADER_KEY = "header.";

  /** The parameters beside conditions that pages hand on with them. */
  private static final Set<String> OF_PAGES = Set.of("action", "back", "cursor", "size");

  private Filters() {}

  private static Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("queueName", "the name of their queue");
    texts.put("tenant", "the tenant of their queue");
    texts.put("type", "their type; that of jobs without one is their queue's name");
    texts.put("uniqueKey", "the unique key that they were enqueued with");
    texts.put("concurrencyKey", "their concurrency key, of their queue or of the engine");
    texts.put("batch", "the id of their batch");
    texts.put("priority", "their priority, such as 5 or 0..10");
    texts.put("attempts", "how often they were started, such as 2 or 1..3");
    texts.put("enqueuedSince", "enqueued then or later, such as 2030-01-31T12:00:00Z");
    texts.put("enqueuedBefore", "enqueued earlier than that");
    texts.put("stuckBefore", "waiting for a signal without a deadline, since before that");
    texts.put("errorContains", "a part of their last error, in the same case");
    return texts;
  }

  private static List<Field> fields() {
    List<Field> fields = new ArrayList<>();
    fields.add(Field.repeated(STATE, "a state of theirs"));
    TEXTS.forEach((name, meaning) -> fields.add(new Field(name, meaning, false)));
    fields.add(Field.repeated(HEADER, "a header of theirs, such as trace: 4711"));
    fields.add(
        new Field(
            ERROR_LINE,
            "the first line of their last error, whole or its first 300 characters; empty for none",
            false));
    fields.add(
        new Field(ALL_TENANTS, "yes to mean the queues of all tenants by an empty one", false));
    return List.copyOf(fields);
  }

  /** Returns the parameter of this name. */
  public static Field field(String name) {
    return FIELDS.stream().filter(field -> field.name().equals(name)).findFirst().orElseThrow();
  }

  /** Returns the words of a key, such as {@code enqueued since}. */
  public static String label(String key) {
    return key.replaceAll("(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a selection; all jobs if there are no conditions. A text of blanks is a condition: left
   * out, an action would be done to more jobs than are meant.
   *
   * @throws RefusedException a condition is wrong
   */
  public static Selection read(Parameters given) {
    Map<String, String> conditions = new LinkedHashMap<>();
    given
        .firsts()
        .forEach(
            (name, value) -> {
              boolean isCondition = TEXTS.containsKey(name) || name.startsWith(HEADER_KEY);
              if (isCondition && (!value.isEmpty() || name.startsWith(HEADER_KEY))) {
                conditions.put(name, value);
              }
            });
    boolean isOfDefaultTenant =
        conditions.containsKey("queueName")
            && given.given("tenant").orElse("-").isEmpty()
            && !isOfAllTenants(given);
    if (isOfDefaultTenant) {
      conditions.put("tenant", "");
    }
    given.all(HEADER).forEach(pair -> addHeader(conditions, pair));
    try {
      JobFilter filter = JobFilter.ALL.with(conditions);
      EnumSet<JobState> states = states(given.all(STATE));
      return new Selection(
          states.isEmpty() ? filter : filter.states(states), given.given(ERROR_LINE));
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Checks that each parameter is a condition and counts: with a name misspelt, or the second of
   * two values passed over, an action would be done to more jobs than are meant.
   *
   * @throws RefusedException one is not
   */
  static void checkAllCount(Parameters given) {
    Set<String> seen = new HashSet<>();
    for (Map.Entry<String, String> pair : given.pairs()) {
      String name = pair.getKey();
      boolean isOfPage = name.startsWith("_") || OF_PAGES.contains(name);
      Optional<Field> known = FIELDS.stream().filter(it -> it.name().equals(name)).findFirst();
      if (!isOfPage && known.isEmpty() && !name.startsWith(HEADER_KEY)) {
        throw new RefusedException(
            "parameter is no condition: name=%s, known=%s"
                .formatted(name, FIELDS.stream().map(Field::name).toList()));
      }
      boolean isRepeated = known.map(Field::isRepeated).orElse(false);
      if (!isOfPage && !isRepeated && !seen.add(name)) {
        throw new RefusedException("parameter is given twice: name=" + name);
      }
    }
  }

  private static boolean isOfAllTenants(Parameters given) {
    Optional<String> word = given.text(ALL_TENANTS);
    if (word.isPresent() && !word.get().equals("yes")) {
      throw new RefusedException(
          "parameter is not yes, nor left out: name=" + ALL_TENANTS + ", value=" + word.get());
    }
    return word.isPresent();
  }

  private static void addHeader(Map<String, String> conditions, String pair) {
    int colon = pair.indexOf(':');
    if (colon <= 0) {
      throw new RefusedException(
          "header has no name and value: value=" + pair + ", such as=trace: 4711");
    }
    String value = pair.substring(colon + 1);
    String name = pair.substring(0, colon);
    String meant = value.startsWith(" ") ? value.substring(1) : value;
    String before = conditions.put(HEADER_KEY + name, meant);
    if (before != null && !before.equals(meant)) {
      throw new RefusedException(
          "header has two values, which no job has: name=%s, values=%s and %s"
              .formatted(name, before, meant));
    }
  }

  /** Returns a selection as parameters that {@link #read} takes. */
  public static Parameters parameters(Selection selection) {
    JobFilter filter = selection.filter();
    StringBuilder query = new StringBuilder();
    filter
        .texts()
        .forEach(
            (name, value) -> {
              if (name.equals("states")) {
                filter.states().forEach(state -> add(query, STATE, word(state)));
              } else {
                add(query, name, value);
              }
            });
    selection.errorLine().ifPresent(line -> add(query, ERROR_LINE, line));
    return Parameters.parse(query.toString());
  }

  private static void add(StringBuilder query, String name, String value) {
    query
        .append(query.isEmpty() ? "" : "&")
        .append(Parameters.encoded(name))
        .append('=')
        .append(Parameters.encoded(value));
  }

  /** Reads states by their names, in upper or lower case. */
  static EnumSet<JobState> states(List<String> words) {
    EnumSet<JobState> states = EnumSet.noneOf(JobState.class);
    for (String word : words) {
      try {
        states.add(JobState.valueOf(word.toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw new RefusedException(
            "state is none of %s: value=%s".formatted(List.of(JobState.values()), word));
      }
    }
    return states;
  }

  private static String word(JobState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
