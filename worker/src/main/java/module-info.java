/** Workers: handlers for the jobs of queues, run until they are stopped. */
module io.millrace.worker {
  requires transitive io.millrace.engine;
  requires java.management;
  requires org.slf4j;

  exports io.millrace.worker;
  exports io.millrace.worker.management;
}
