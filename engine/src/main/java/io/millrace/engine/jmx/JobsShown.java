package io.millrace.engine.jmx;

import io.millrace.api.Job;
import io.millrace.api.Page;
import io.millrace.management.JobPage;
import io.millrace.management.JobSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of jobs in the shape that JMX knows. */
record JobsShown(Page<Job> page) implements JobPage {

  @Override
  public List<JobSnapshot> getJobs() {
    return page.items().stream().<JobSnapshot>map(JobShown::new).toList();
  }

  @Override
  public @Nullable String getNext() {
    return page.next().orElse(null);
  }
}
