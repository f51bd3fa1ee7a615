package io.millrace.worker;

import java.util.Random;

/** Cron expressions of five fields, in the words that all who know cron have. */
final class RandomCron {

  private RandomCron() {}

  /** One whose days come: a day of the month and one of the week are not both named. */
  static String next(Random random) {
    boolean isWeekday = random.nextBoolean();
    return String.join(
        " ",
        field(random, 0, 59),
        field(random, 0, 23),
        isWeekday ? "*" : field(random, 1, 28),
        field(random, 1, 12),
        isWeekday ? field(random, 0, 6) : "*");
  }

  private static String field(Random random, int least, int most) {
    int a = least + random.nextInt(most - least + 1);
    int b = least + random.nextInt(most - least + 1);
    int low = Math.min(a, b);
    int high = Math.max(a, b);
    return switch (random.nextInt(6)) {
      case 0 -> "*";
      case 1 -> "*/" + (1 + random.nextInt(most - least));
      case 2 -> low + "-" + high;
      case 3 -> low + "-" + high + "/" + (1 + random.nextInt(3));
      case 4 -> low + "," + high;
      default -> Integer.toString(a);
    };
  }
}
