package io.millrace.examples;

import io.millrace.api.JobQueues;
import java.util.function.Consumer;

/** A program that shows one feature. */
@FunctionalInterface
interface Example {

  /** Runs the program to its end; its output goes to the log, line by line. */
  void run(JobQueues queues, Consumer<String> log) throws Exception;
}
