package io.millrace.api;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The conditions of a filter as texts by key, for operators and other processes. */
enum FilterText {
  STATES("states", Constants.STATES) {
    @Override
    Optional<String> of(JobFilter filter) {
      return filter.states().equals(JobFilter.ALL.states())
          ? Optional.empty()
          : Optional.of(
              filter.states().stream().map(JobState::name).collect(Collectors.joining(",")));
    }

    @Override
    JobFilter say(JobFilter filter, String value) {
      Set<JobState> states = EnumSet.noneOf(JobState.class);
      for (String name : value.split(",", -1)) {
        states.add(JobState.valueOf(name.strip().toUpperCase(Locale.ROOT)));
      }
      return filter.states(states);
    }
  },
  QUEUE_NAME("queueName", Constants.NAME) {
    @Override
    Optional<String> of(JobFilter filter) {
      return filter.queueName();
    }

    @Override
    JobFilter say(JobFilter filter, String value) {
      return filter.queueName(value);
    }
  },
  TENANT("tenant", "a tenant, empty for the default one") {
    @Override
    Optional<String> of(JobFilter filter) {
      return filter.tenant();
    }

    @Override
    JobFilter say(JobFilter filter, String value) {
      return filter.tenant(value);
    }
  },
  TYPE("type", Constants.NAME) {
    @Override
    Optional<String> of(JobFilter filter) {
      return filter.type();
    }

    @Override
    JobFilter say(JobFilter filter, String value) {
      return filter.type(value);
    }
  },
  UNIQUE_KEY("uniqueKey", Constants.KEY) {
    @Override
    Optional<String> of(JobFilter filter) {
      return filter.uniqueKey();
    }

    @Override
    JobFilter say(JobFilter filter, String value) {
      return filter.uniqueKey(value);
    }
  },
  CONCURRENCY_KEY("concurrencyKey", Constants.KEY) {
    @Override
    Optional<String> of(JobFilter filter) {
      return filter.concurrencyKey();
    }

    @Override
    JobFilter say(JobFilter filter, String value) {
      return filter.concurrencyKey(value);
    }
  },
  PRIORITY("priority", "a number from -128 to 127, or two such as 0..10") {
    @Override
    Optional<String> of(JobFilter filter) {
      JobFilter all = JobFilter.ALL;
      return filter.priorityLeast() == all.priorityLeast()
              && filter.priorityMost() == all.priorityMost()
          ? Optional.empty()
          : Optional.of(range(filter.priorityLeast(), filter.priorityMost()));
    }

    @Override
    JobFilter say(JobFilter filter, String value) {
      return filter.priority(least(value), most(value));
    }
  },
  ATTEMPTS("attempts", "a number from 0, or two such as 1..3") {
    @Override
    Optional<String> of(JobFilter filter) {
      JobFilter all = JobFilter.ALL;
      return filter.attemptsLeast() == all.attemptsLeast()
              && filter.attemptsMost() == all.attemptsMost()
          ? Optional.empty()
          : Optional.of(range(filter.attemptsLeast(), filter.attemptsMost()));
    }

    @Override
    JobFilter say(JobFilter filter, String value) {
      return filter.attempts(least(value), most(value));
    }
  },
  ENQUEUED_SINCE("enqueuedSince", Constants.INSTANT) {
    @Override
    Optional<String> of(JobFilter filter) {
      return filter.enqueuedSince().map(Instant::toString);
    }

    @Override
    JobFilter say(JobFilter filter, String value) {
      return filter.enqueuedSince(Instant.parse(value));
    }
  },
  ENQUEUED_BEFORE("enqueuedBefore", Constants.INSTANT) {
    @Override
    Optional<String> of(JobFilter filter) {
      return filter.enqueuedBefore().map(Instant::toString);
    }

    @Override
    JobFilter say(JobFilter filter, String value) {
      return filter.enqueuedBefore(Instant.parse(value));
    }
  },
  ERROR_CONTAINS("errorContains", "a text") {
    @Override
    Optional<String> of(JobFilter filter) {
      return filter.errorContains();
    }

    @Override
    JobFilter say(JobFilter filter, String value) {
      return filter.errorContains(value);
    }
  };

  private static final String TO = "..";

  private final String key;
  private final String allowed;

  /** What the constants themselves need. */
  private static final class Constants {
    static final String STATES =
        "some of " + Arrays.toString(JobState.values()) + ", with commas between them";
    static final String NAME = "a text of 1 to " + Limits.NAME_BYTES_MAX + " bytes";
    static final String KEY = "a text of 1 to " + Limits.KEY_BYTES_MAX + " bytes";
    static final String INSTANT = "an instant such as 2030-01-31T12:00:00Z";
  }

  FilterText(String key, String allowed) {
    this.key = key;
    this.allowed = allowed;
  }

  /** What the filter says of it; empty if nothing. */
  abstract Optional<String> of(JobFilter filter);

  /**
   * The filter with this condition.
   *
   * @throws IllegalArgumentException the value is wrong
   */
  abstract JobFilter say(JobFilter filter, String value);

  /** All that the filter says. */
  static Map<String, String> all(JobFilter filter) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (FilterText text : values()) {
      text.of(filter).ifPresent(value -> texts.put(text.key, value));
    }
    return texts;
  }

  static JobFilter change(JobFilter filter, Map<String, String> texts) {
    JobFilter changed = filter;
    for (Map.Entry<String, String> text : texts.entrySet()) {
      String value = Objects.requireNonNull(text.getValue(), text.getKey());
      changed = of(text.getKey()).said(changed, value);
    }
    return changed;
  }

  private JobFilter said(JobFilter filter, String value) {
    try {
      return say(filter, value);
    } catch (IllegalArgumentException | DateTimeParseException e) {
      throw new IllegalArgumentException(
          "condition has a wrong value: key=\""
              + key
              + "\", value=\""
              + value
              + "\", allowed="
              + allowed
              + "; reason="
              + e.getMessage(),
          e);
    }
  }

  private static FilterText of(String key) {
    return Arrays.stream(values())
        .filter(text -> text.key.equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "condition is unknown: key=\"" + key + "\", known=" + keys()));
  }

  private static String keys() {
    return Arrays.toString(Arrays.stream(values()).map(text -> text.key).toArray());
  }

  private static String range(int least, int most) {
    return least == most ? Integer.toString(least) : least + TO + most;
  }

  private static int least(String range) {
    int at = range.indexOf(TO);
    return Integer.parseInt(at < 0 ? range : range.substring(0, at));
  }

  private static int most(String range) {
    int at = range.indexOf(TO);
    return Integer.parseInt(at < 0 ? range : range.substring(at + TO.length()));
  }
}
