package io.millrace.management;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some jobs of many; fewer than fit, even none, does not mean the end. */
public interface JobPage {

  List<JobSnapshot> getJobs();

  /** Where the next page begins; null at the end. */
  @Nullable String getNext();
}
