package io.millrace.cli.place;

import io.millrace.worker.management.WorkerMBean;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The choice of workers in a process: all, or those that meet every condition given.
 *
 * @param name the name under which they claim
 * @param instance the number among those of one name, from 1
 */
public record WorkerChoice(Optional<String> name, OptionalInt instance) {

  boolean isMet(WorkerMBean worker, int workerInstance) {
    return (name.isEmpty() || name.get().equals(worker.getName()))
        && (instance.isEmpty() || instance.getAsInt() == workerInstance);
  }
}
