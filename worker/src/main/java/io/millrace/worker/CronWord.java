package io.millrace.worker;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a cron expression that knows its place, so that errors can show where they are.
 *
 * @param expression the whole expression
 * @param start the index of the part's first character in the expression, from 0
 * @param end the index behind its last character
 */
record CronWord(String expression, int start, int end) {

  private static final int DIGITS_MAX = 4;

  /** Returns the fields of an expression, which spaces and tabs separate. */
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

  /** Returns this word without the given end, which it has; fails if nothing is left. */
  CronWord withoutEnd(String text) {
    CronWord rest = new CronWord(expression, start, end - text.length());
    if (rest.start == rest.end) {
      throw flaw("something is missing before this");
    }
    return rest;
  }

  /** Tells whether this is a single value: no range, no step, and not all values. */
  boolean isOne() {
    return text().chars().noneMatch(each -> "-/*?".indexOf(each) >= 0);
  }

  /**
   * Splits this word at each separator; a word without one stays whole. Fails if a part is empty.
   */
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

  /** Returns the error that says what is wrong with the expression at this word. */
  IllegalArgumentException flaw(String what) {
    return flaw(expression, start, text(), what);
  }

  /** Returns the error that says what is wrong with an expression at a character. */
  static IllegalArgumentException flaw(String expression, int index, String found, String what) {
    return new IllegalArgumentException(
        "cron expression cannot be read: expression=\"%s\", position=%s, found=\"%s\": %s"
            .formatted(expression, index + 1, found, what));
  }
}
