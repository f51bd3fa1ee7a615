/** Durable steps: jobs of several steps, over days, that go on where they were. */
module io.millrace.workflow {
  requires transitive io.millrace.worker;

  exports io.millrace.workflow;
}
