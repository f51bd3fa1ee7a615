package io.millrace.model.crash;

import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.model.crash.Journal.Event;
import io.millrace.model.crash.Journal.Line;
import io.millrace.model.crash.Reopening.Ending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One store over all of its lives, and what was written down of them. */
final class Subject {

  private static final Duration WAITING = Duration.ofMillis(50);
  private static final long DRAIN_MS_MAX = 60_000;

  private final String location;
  private final Site.Level level;
  private final Path journals;
  private final List<Line> lines = new ArrayList<>();
  private int lifeCount;
  private Path latest = Path.of("none");

  /** The journals are written into a folder that is created. */
  Subject(String location, Site.Level level, Path journals) throws IOException {
    this.location = location;
    this.level = level;
    this.journals = Files.createDirectories(journals);
  }

  Site.Level level() {
    return level;
  }

  /** What the next process is to do. */
  Site.Plan nextLife() {
    String life = "life" + ++lifeCount;
    latest = journals.resolve(life);
    return new Site.Plan(location, level, latest, life);
  }

  /** The process is dead. */
  void died(Ending ending) throws IOException {
    ended(Journal.line(Event.END, "-", ending));
  }

  /** The power went at that time; what was answered so long before it was promised to stay. */
  void lostPower(long cutUs, long promisedAgeUs) throws IOException {
    String ending = Ending.POWER_CUT.toString();
    ended(new Line(cutUs, Event.END, "-", List.of(ending, Long.toString(promisedAgeUs))));
  }

  private void ended(Line end) throws IOException {
    lines.addAll(Journal.read(latest));
    lines.add(end);
  }

  /** Serves all that is left, looks once more, and says what was found of all lives. */
  Findings drainAndCheck() throws IOException {
    try (Site site = Site.open(nextLife(), 0)) {
      site.tending().bringAllToNow();
      Consumer consumer = new Consumer(site, site.plan().life() + ".c", 0);
      long start = System.nanoTime();
      while (isAnyWaiting(site) && System.nanoTime() - start < DRAIN_MS_MAX * 1_000_000) {
        List<Lease> leases = consumer.claim(Workload.QUEUES, 1_000, WAITING);
        if (!leases.isEmpty()) {
          consumer.completeAll(leases);
        }
      }
    }
    died(Ending.CLEAN);
    Site.open(nextLife(), 0).close();
    died(Ending.CLEAN);
    return JournalCheck.check(lines);
  }

  private static boolean isAnyWaiting(Site site) {
    for (QueueName queue : Workload.QUEUES) {
      var stats = site.engine().stats(queue);
      if (stats.isPresent()
          && stats.get().count(JobState.READY) + stats.get().count(JobState.DELAYED) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Everything that was written down, for whoever looks into a violation. */
  List<String> text() {
    return lines.stream().map(Line::text).toList();
  }
}
