package io.millrace.worker;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a cron expression that knows where it is, so that what is wrong with it can be shown.
 *
 * @param expression the whole
 * @param start its first character in the expression, from 0
 * @param end the one behind its last
 */
record CronWord(String expression, int start, int end) {

  private static final int DIGITS_MAX = 4;

  /** The fields of an expression: what spaces and tabs part. */
  static List<CronWord> fields(String expression) {
    List<CronWord> fields = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= expression.length(); i++) {
      if (i == expression.length() || expression.charAt(i) == ' ' || expression.charAt(i) == '\t') {
        if (i > start) {
          fields.add(new CronWord(expression, start, i));
        }
        start = i + 1;
      }
    }
    return fields;
  }

  String text() {
    return expression.substring(start, end);
  }

  boolean is(String text) {
    return text().equalsIgnoreCase(text);
  }

  boolean beginsWith(String text) {
    return expression.regionMatches(true, start, text, 0, text.length()) && start < end;
  }

  boolean endsWith(String text) {
    return expression.regionMatches(true, end - text.length(), text, 0, text.length())
        && start < end;
  }

  /** What is before an end that it has, which must be something. */
  CronWord withoutEnd(String text) {
    CronWord rest = new CronWord(expression, start, end - text.length());
    if (rest.start == rest.end) {
      throw flaw("something is missing before this");
    }
    return rest;
  }

  /** Whether it is one value: no range, no step, and not all. */
  boolean isOne() {
    return text().chars().noneMatch(each -> "-/*?".indexOf(each) >= 0);
  }

  /** What the character parts; one word if it is not there. None is empty. */
  List<CronWord> split(char separator) {
    List<CronWord> words = new ArrayList<>();
    int from = start;
    for (int i = start; i <= end; i++) {
      if (i == end || expression.charAt(i) == separator) {
        CronWord word = new CronWord(expression, from, i);
        if (from == i) {
          throw word.flaw("something is missing here");
        }
        words.add(word);
        from = i + 1;
      }
    }
    return words;
  }

  int number() {
    boolean isNumber = end - start <= DIGITS_MAX;
    for (int i = start; i < end; i++) {
      isNumber &= expression.charAt(i) >= '0' && expression.charAt(i) <= '9';
    }
    if (!isNumber) {
      throw flaw("this is no number and no name that is known here");
    }
    return Integer.parseInt(text());
  }

  /** The expression is wrong here. */
  IllegalArgumentException flaw(String what) {
    return flaw(expression, start, text(), what);
  }

  /** The expression is wrong at a character. */
  static IllegalArgumentException flaw(String expression, int index, String found, String what) {
    return new IllegalArgumentException(
        "cron expression cannot be read: expression=\"%s\", position=%s, found=\"%s\": %s"
            .formatted(expression, index + 1, found, what));
  }
}
