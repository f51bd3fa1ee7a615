package io.millrace.management;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some queues of many. */
public interface QueuePage {

  List<QueueLabel> getQueues();

  /** Where the next page begins; null at the end. */
  @Nullable String getNext();
}
