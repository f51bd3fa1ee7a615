package io.millrace.examples;

import io.millrace.api.JobQueues;
import java.util.function.Consumer;

/** A program that shows one thing. */
@FunctionalInterface
interface Example {

  /** Runs it to its end; what it has to say goes to the log, line by line. */
  void run(JobQueues queues, Consumer<String> log) throws Exception;
}
