package io.millrace.model.crash;

import io.millrace.model.crash.Reopening.Ending;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Processes one after the other that work on the same stores, one for each level of durability, and
 * what is found of it. After some lives the stores are drained and checked, and new ones begin.
 */
final class Series implements AutoCloseable {

  private final String scheme;
  private final Path journals;
  private final Map<Site.Level, Path> places;
  private final int livesPerStore;
  private final Findings findings = new Findings();
  private final List<Subject> subjects = new ArrayList<>();
  private Optional<Victim> spare = Optional.empty();
  private int lifeCount;

  /** For stores below these folders. */
  Series(String scheme, Path journals, Map<Site.Level, Path> places, int livesPerStore) {
    this.scheme = scheme;
    this.journals = journals;
    this.places = places;
    this.livesPerStore = livesPerStore;
  }

  /** How many stores of this series have seen their process end, over all lives. */
  int endCount() {
    return lifeCount * places.size();
  }

  /** The folder in which the store of that level is now. */
  Path store(Site.Level level) {
    return places.get(level).resolve("store" + (lifeCount - 1) / livesPerStore);
  }

  /** A process that is told which stores it has, and not yet what to do with them. */
  Victim nextLife() throws IOException {
    if (lifeCount % livesPerStore == 0) {
      check();
    }
    lifeCount++;
    if (subjects.isEmpty()) {
      for (Site.Level level : places.keySet()) {
        Path own = journals.resolve(level + "-" + lifeCount);
        subjects.add(new Subject(scheme + ":" + store(level), level, own));
      }
    }
    Victim victim = spare.isPresent() ? spare.get() : Victim.start(CrashWorker.class);
    // The next one starts while this one works: most of its time is spent on that.
    spare = Optional.of(Victim.start(CrashWorker.class));
    for (Subject subject : subjects) {
      victim.tell(subject.nextLife().text());
    }
    return victim;
  }

  /** The process of this life is dead. */
  void died(Ending ending) throws IOException {
    for (Subject subject : subjects) {
      subject.died(ending);
    }
  }

  void lostPower(long cutUs, long promisedAgeUs) throws IOException {
    for (Subject subject : subjects) {
      subject.lostPower(cutUs, promisedAgeUs);
    }
  }

  /** Drains and checks what is left; all that was found. */
  Findings end() throws IOException {
    check();
    return findings;
  }

  private void check() throws IOException {
    for (Subject subject : subjects) {
      Findings found = subject.drainAndCheck();
      if (!found.messages().isEmpty()) {
        keepJournal(scheme + "-" + subject.level(), subject.text());
      }
      findings.addAll(found);
    }
    if (!subjects.isEmpty()) {
      for (Site.Level level : places.keySet()) {
        delete(store(level));
        sync(places.get(level));
      }
    }
    subjects.clear();
  }

  /** A kill cannot be repeated: what it left is worth keeping. */
  static void keepJournal(String name, List<String> lines) throws IOException {
    String log = System.getProperty("millrace.trials.log");
    if (log != null) {
      Path kept = Files.createDirectories(Path.of(log).resolveSibling("journals"));
      Files.write(kept.resolve(name + "-" + System.currentTimeMillis()), lines);
    }
  }

  /** Makes durable what was deleted: else it is back after the next power loss, until none fits. */
  private static void sync(Path folder) throws IOException {
    try (FileChannel open = FileChannel.open(folder, StandardOpenOption.READ)) {
      open.force(true);
    }
  }

  /** Deletes a folder and all that is in it. */
  static void delete(Path folder) throws IOException {
    List<Path> paths;
    try (Stream<Path> all = Files.walk(folder)) {
      paths = new ArrayList<>(all.toList());
    }
    for (int i = paths.size() - 1; i >= 0; i--) {
      Files.delete(paths.get(i));
    }
  }

  @Override
  public void close() {
    spare.ifPresent(Victim::close);
  }
}
