package io.millrace.worker.management;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some schedules of many. */
public interface SchedulePage {

  List<ScheduleSnapshot> getSchedules();

  /** Where the next page begins; null at the end. */
  @Nullable String getNext();
}
