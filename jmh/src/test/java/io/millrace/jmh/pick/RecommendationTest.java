package io.millrace.jmh.pick;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.jmh.load.LoadResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecommendationTest {

  private static final Wish WISH = new Wish(256, 8, Durability.SYNCED);
  private static final Set<String> KEEPING_NOTHING = Set.of("memory");

  @TempDir private Path folder;

  @Test
  void of_storesThatDiffer_takesTheFastestThatKeepsItsJobs() {
    List<Point> points =
        List.of(
            Points.of("a", 256, 1_000),
            Points.of("b", 256, 2_000),
            Points.of("memory", 256, 9_000));

    Recommendation recommendation = Recommendation.of(WISH, points, KEEPING_NOTHING);

    assertThat(recommendation.store()).contains("b");
    assertThat(recommendation.sentences())
        .containsExactly(
            "For payloads of 256 B, 8 callers and synced calls take b: here it enqueued, claimed"
                + " and completed 2,000 jobs/s (0.50 of a plain log with the same callers); half"
                + " of the enqueues returned within 0.10 ms, 99 of 100 within 0.40 ms; a waiting"
                + " job takes 300 B on disk.",
            "a did 0.50 of that (1,000 jobs/s), 99 of 100 enqueues within 0.40 ms, 300 B on disk.");
  }

  @Test
  void of_storesWithinTheNoise_takesTheSmallerOnDisk() {
    List<Point> points =
        List.of(Points.of("a", 256, 1_000, 0.01, 310), Points.of("b", 256, 1_030, 0.01, 400));

    Recommendation recommendation = Recommendation.of(WISH, points, KEEPING_NOTHING);

    assertThat(recommendation.store()).contains("a");
    assertThat(recommendation.sentences().subList(1, 3))
        .containsExactly(
            "b did 1,030 jobs/s, which is no more within the noise of this machine, and a takes"
                + " less room on disk.",
            "b was as fast within the noise of this machine (1,030 jobs/s), 99 of 100 enqueues"
                + " within 0.40 ms, 400 B on disk.");
  }

  @Test
  void of_storesWithinTheNoiseAndAsLarge_takesTheFastest() {
    List<Point> points = List.of(Points.of("a", 256, 1_000), Points.of("b", 256, 1_030));

    assertThat(Recommendation.of(WISH, points, KEEPING_NOTHING).store()).contains("b");
  }

  @Test
  void of_rateAndRatioToThePlainLogDisagree_goesByTheRatesThatArePrintedAndSaysSo() {
    List<Point> points =
        List.of(
            new Point("a", 256, 8, Points.result(1_000, Points.FLOOR / 2, 0, 300, List.of())),
            new Point("b", 256, 8, Points.result(1_500, Points.FLOOR, 0, 300, List.of())));

    Recommendation recommendation = Recommendation.of(WISH, points, KEEPING_NOTHING);

    assertThat(recommendation.store()).contains("b");
    assertThat(recommendation.sentences())
        .element(0)
        .asString()
        .contains("take b: here it enqueued, claimed and completed 1,500 jobs/s");
    assertThat(recommendation.sentences().subList(1, 3))
        .containsExactly(
            "a did 0.67 of that (1,000 jobs/s), 99 of 100 enqueues within 0.40 ms, 300 B on disk.",
            "The machine was not the same for both: the plain log did 4,000 jobs/s beside b and"
                + " 2,000 beside a. Measure again when it is quiet, or for longer.");
  }

  @Test
  void of_aStoreThatDidNothingInARound_isNeverAsFastAsOneThatDid() {
    List<Point> points =
        List.of(Points.of("a", 256, 0, 1e12, 100), Points.of("b", 256, 90, 2, 400));

    Recommendation recommendation = Recommendation.of(WISH, points, KEEPING_NOTHING);

    assertThat(recommendation.store()).contains("b");
    assertThat(recommendation.sentences())
        .contains(
            "The rounds differed by > 999 %: something else was at work on this machine. Measure"
                + " again when it is quiet, or for longer.",
            "a did 0.00 of that (0 jobs/s), 99 of 100 enqueues within 0.40 ms, 100 B on disk.");
  }

  @Test
  void of_anySurvey_neverRecommendsAStoreThatWasPrintedAsSlowerBeyondTheNoise() {
    SplittableRandom random = new SplittableRandom(17);
    for (int i = 0; i < 2_000; i++) {
      List<Point> points = new ArrayList<>();
      for (String store : List.of("a", "b", "c")) {
        double floor = random.nextDouble(500, 8_000);
        double rate = random.nextDouble(100, 5_000);
        double spread = random.nextDouble(0, 0.4);
        double disk = random.nextDouble(100, 500);
        points.add(new Point(store, 256, 8, Points.result(rate, floor, spread, disk, List.of())));
      }

      Recommendation recommendation = Recommendation.of(WISH, points, KEEPING_NOTHING);

      Point winner =
          points.stream()
              .filter(point -> recommendation.store().filter(point.store()::equals).isPresent())
              .findFirst()
              .orElseThrow();
      double spread = points.stream().mapToDouble(p -> p.cycle().engine().spread()).max().orElse(0);
      double noise = Math.max(Recommendation.NOISE_LEAST, spread / 2);
      for (Point other : points) {
        assertThat(winner.jobsPerSecond())
            .isGreaterThanOrEqualTo(other.jobsPerSecond() * (1 - noise));
      }
      assertThat(recommendation.sentences())
          .as("who is compared is never shown as faster")
          .noneMatch(sentence -> sentence.matches("[abc] did [1-9]\\.(?!00).* of that.*"));
    }
  }

  @Test
  void of_aNoisyMachine_saysSo() {
    List<Point> points = List.of(Points.of("a", 256, 1_000, 0.8, 300));

    Recommendation recommendation = Recommendation.of(WISH, points, KEEPING_NOTHING);

    assertThat(recommendation.sentences())
        .contains(
            "The rounds differed by 80 %: something else was at work on this machine. Measure"
                + " again when it is quiet, or for longer.",
            "It is the only store on the class path that keeps its jobs.");
  }

  @Test
  void of_anotherWinnerElsewhere_saysWhere() {
    List<Point> points =
        List.of(
            Points.of("a", 256, 1_000),
            Points.of("b", 256, 500),
            Points.of("a", 65_536, 100),
            Points.of("b", 65_536, 200));

    Recommendation recommendation = Recommendation.of(WISH, points, KEEPING_NOTHING);

    assertThat(recommendation.sentences())
        .contains("With payloads of 65,536 B and 8 callers b was faster: 200 jobs/s against 100.");
  }

  @Test
  void of_aStoreThatLostAJob_neverTakesIt() {
    Point good = Points.of("a", 256, 1_000);
    LoadResult lossy =
        Points.result(
            9_000, Points.FLOOR, 0, 300, List.of("enqueued jobs that were never completed: 1"));
    List<Point> points = List.of(good, new Point("b", 256, 8, lossy));

    Recommendation recommendation = Recommendation.of(WISH, points, KEEPING_NOTHING);

    assertThat(recommendation.store()).contains("a");
    assertThat(recommendation.sentences())
        .contains("Do not use b: [enqueued jobs that were never completed: 1].");
  }

  @Test
  void of_nothingThatKeepsJobs_takesNone() {
    List<Point> points = List.of(Points.of("memory", 256, 1_000));

    Recommendation recommendation = Recommendation.of(WISH, points, KEEPING_NOTHING);

    assertThat(recommendation.store()).isEmpty();
  }

  @Test
  void report_ofASurvey_isOneFileThatLoadsNothing() throws IOException {
    List<Point> points = List.of(Points.of("a</script>", 256, 1_000));
    Path file = folder.resolve("page.html");

    Report.write(file, WISH, points, Recommendation.of(WISH, points, KEEPING_NOTHING));

    String page = Files.readString(file);
    assertThat(page)
        .contains("take a&lt;/script&gt;", "\"jobs\":1000", "Chart.js")
        .doesNotContain("{{", "src=", "href=", "\"a</script>");
  }
}
