package io.millrace.cli.place;

import io.millrace.worker.management.WorkerMBean;
import java.util.Optional;

/**
 * Which workers of a process are meant: all, or those that meet every condition given.
 *
 * @param name as which they claim
 * @param instance which of those of one name
 */
public record WorkerChoice(Optional<String> name, Optional<Integer> instance) {

  boolean isMet(WorkerMBean worker, int workerInstance) {
    return (name.isEmpty() || name.get().equals(worker.getName()))
        && (instance.isEmpty() || instance.get() == workerInstance);
  }
}
