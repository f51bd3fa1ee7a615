package io.millrace.engine.jmx;

import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.management.QueueLabel;
import io.millrace.management.QueuePage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of queues in the shape that JMX knows. */
record QueuesShown(Page<QueueName> page) implements QueuePage {

  @Override
  public List<QueueLabel> getQueues() {
    return page.items().stream().<QueueLabel>map(LabelShown::new).toList();
  }

  @Override
  public @Nullable String getNext() {
    return page.next().orElse(null);
  }

  private record LabelShown(QueueName queue) implements QueueLabel {

    @Override
    public String getName() {
      return queue.name();
    }

    @Override
    public String getTenant() {
      return queue.tenant();
    }
  }
}
