package io.millrace.cli.demo;

import io.millrace.api.DeadFilter;
import io.millrace.api.Job;
import io.millrace.api.JobQueue;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The comparison of the results with the folder once all jobs are done: enqueues what the scan
 * could not know, and says which results the manifest may hold. It makes the demo heal itself: from
 * files that came or changed meanwhile, and from a journal that someone removed.
 */
final class LastLook {

  private static final int BATCH_COUNT = 500;
  private static final int PAGE_SIZE = 500;

  private final Set<FileName> seen = new HashSet<>();
  private long linkCount;
  private long specialCount;

  private LastLook() {}

  /**
   * Walks the folder once more and enqueues each file that has neither a result of its present
   * state nor a dead letter.
   */
  static LastLook take(DemoFolders folders, JobQueue files, ResultJournal journal, Stop stop)
      throws IOException {
    LastLook look = new LastLook();
    Map<FileName, HashedFile> results = journal.read();
    Set<FileName> dead = deadNames(files);
    FolderWalk walk = folders.walkAfter(Optional.empty());
    List<NewJob> jobs = new ArrayList<>();
    while (walk.hasNext() && !stop.isRequested()) {
      Found found = walk.next();
      HashedFile result = results.get(found.name());
      boolean isDone = result != null && result.isOf(found);
      boolean isDead = !isDone && dead.contains(found.name());
      look.count(found, isDead);
      if (found.isJob() && !isDone && !isDead) {
        jobs.add(FileJobs.job(found, 1, 0));
      }
      if (jobs.size() == BATCH_COUNT) {
        enqueue(jobs, files);
      }
    }
    enqueue(jobs, files);
    return look;
  }

  /** The newest result of each file that was there and can be read. */
  SortedMap<FileName, HashedFile> resultsOfSeen(ResultJournal journal) throws IOException {
    SortedMap<FileName, HashedFile> results = new TreeMap<>(journal.read());
    results.keySet().retainAll(seen);
    return results;
  }

  long linkCount() {
    return linkCount;
  }

  long specialCount() {
    return specialCount;
  }

  private void count(Found found, boolean isDead) {
    switch (found.kind()) {
      case FILE -> {
        if (!isDead) { // a sum from before the file changed and became unreadable is wrong by now
          seen.add(found.name());
        }
      }
      case LINK -> linkCount++;
      case SPECIAL -> specialCount++;
      case UNREADABLE -> {}
    }
  }

  private static void enqueue(List<NewJob> jobs, JobQueue files) {
    if (!jobs.isEmpty()) {
      files.enqueueAll(jobs);
      jobs.clear();
    }
  }

  private static Set<FileName> deadNames(JobQueue files) {
    Set<FileName> names = new HashSet<>();
    Optional<PageRequest> request = Optional.of(PageRequest.first(PAGE_SIZE));
    while (request.isPresent()) {
      Page<Job> page = files.deadLetters().list(DeadFilter.ALL, request.get());
      page.items().forEach(job -> names.add(FileName.of(job.payload())));
      request = page.next().map(cursor -> PageRequest.after(cursor, PAGE_SIZE));
    }
    return names;
  }
}
