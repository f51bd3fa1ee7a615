package io.millrace.console.http;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The parameters of a request, from its query or from a form. Immutable. */
public final class Parameters {

  public static final Parameters NONE = new Parameters(Map.of());

  private final Map<String, List<String>> values;

  private Parameters(Map<String, List<String>> values) {
    this.values = values;
  }

  /**
   * Reads {@code a=1&b=2}.
   *
   * @throws RefusedException it has an escape that stands for nothing
   */
  public static Parameters parse(String query) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String part : query.split("&")) {
      if (!part.isEmpty()) {
        int equals = part.indexOf('=');
        String name = decoded(equals < 0 ? part : part.substring(0, equals));
        String value = equals < 0 ? "" : decoded(part.substring(equals + 1));
        values.computeIfAbsent(name, it -> new ArrayList<>()).add(value);
      }
    }
    return new Parameters(values);
  }

  /** Returns these parameters with another one in place of all of its name. */
  public Parameters with(String name, String value) {
    Map<String, List<String>> changed = new LinkedHashMap<>(values);
    changed.put(name, List.of(value));
    return new Parameters(changed);
  }

  /** Returns these parameters without those of a name. */
  public Parameters without(String name) {
    Map<String, List<String>> changed = new LinkedHashMap<>(values);
    changed.remove(name);
    return new Parameters(changed);
  }

  /** Returns the first value that is not blank. */
  public Optional<String> text(String name) {
    return all(name).stream().findFirst();
  }

  /** Returns the first value, which may be empty. */
  public Optional<String> given(String name) {
    return values.getOrDefault(name, List.of()).stream().findFirst();
  }

  /** Returns all values that are not blank. */
  public List<String> all(String name) {
    return values.getOrDefault(name, List.of()).stream().filter(it -> !it.isBlank()).toList();
  }

  /**
   * Returns the first value.
   *
   * @throws RefusedException there is none
   */
  public String required(String name) {
    return text(name).orElseThrow(() -> new RefusedException("parameter is missing: name=" + name));
  }

  /**
   * Returns a number, or this one if none is given.
   *
   * @throws RefusedException it is no number, or out of its range
   */
  public int number(String name, int otherwise, int least, int most) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(text.get().strip());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw outOfRange(name, text.get(), least, most);
    }
    throw outOfRange(name, text.get(), least, most);
  }

  /**
   * Returns the first value, read.
   *
   * @throws RefusedException there is none, or it cannot be read
   */
  public <T> T read(String name, Function<String, T> parse) {
    String text = required(name);
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException e) {
      throw new RefusedException("parameter is wrong: name=" + name + ", reason=" + e.getMessage());
    }
  }

  /** Returns the first values by their names. */
  public Map<String, String> firsts() {
    Map<String, String> firsts = new LinkedHashMap<>();
    values.forEach((name, all) -> firsts.put(name, all.get(0)));
    return firsts;
  }

  /** Returns all names with each of their values. */
  public List<Map.Entry<String, String>> pairs() {
    return values.entrySet().stream()
        .flatMap(each -> each.getValue().stream().map(value -> Map.entry(each.getKey(), value)))
        .toList();
  }

  /** Returns the parameters as the query of a link; empty if there are none. */
  public String query() {
    String joined =
        pairs().stream()
            .map(pair -> encoded(pair.getKey()) + "=" + encoded(pair.getValue()))
            .collect(Collectors.joining("&"));
    return joined.isEmpty() ? "" : "?" + joined;
  }

  /** Returns a text as part of a query. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Returns a part of a path without its escapes. */
  static String inPath(String part) {
    return decoded(part.replace("+", "%2B"));
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new RefusedException("query has an escape that stands for nothing: " + text);
    }
  }

  private static RefusedException outOfRange(String name, String value, int least, int most) {
    return new RefusedException(
        "parameter is out of its range: name="
            + name
            + ", value="
            + value
            + ", least="
            + least
            + ", most="
            + most);
  }
}
