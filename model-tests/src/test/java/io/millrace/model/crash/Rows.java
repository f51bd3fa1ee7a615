package io.millrace.model.crash;

import io.millrace.api.Job;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.TableRange;
import io.millrace.api.TableReader;
import io.millrace.api.TableRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All of something that is told in pages. */
final class Rows {

  private static final int PAGE_SIZE = 1_000;

  private Rows() {}

  static <V> Map<String, V> of(TableReader<String, V> table) {
    Map<String, V> rows = new TreeMap<>();
    PageRequest request = PageRequest.first(PAGE_SIZE);
    while (true) {
      Page<TableRow<String, V>> page = table.scan(TableRange.all(), request);
      page.items().forEach(row -> rows.put(row.key(), row.value()));
      if (page.next().isEmpty()) {
        return rows;
      }
      request = PageRequest.after(page.next().get(), PAGE_SIZE);
    }
  }

  static List<Job> jobs(JobQueue queue, JobState state) {
    List<Job> jobs = new ArrayList<>();
    PageRequest request = PageRequest.first(PAGE_SIZE);
    while (true) {
      Page<Job> page = queue.peek(state, request);
      jobs.addAll(page.items());
      if (page.next().isEmpty()) {
        return jobs;
      }
      request = PageRequest.after(page.next().get(), PAGE_SIZE);
    }
  }
}
