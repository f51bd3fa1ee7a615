/** The Millrace engine: queues on top of an ordered store. */
@SuppressWarnings({
  "requires-automatic", // Agrona has no module descriptor yet; the name comes from its file.
  "module" // The modules of workers and tests are built after this one, and are not found yet.
})
module io.millrace.engine {
  requires transitive io.millrace.spi;
  requires transitive org.jspecify;
  requires transitive java.management;
  requires jdk.jfr;
  requires org.agrona;
  requires org.slf4j;

  exports io.millrace.api;
  exports io.millrace.calls to
      io.millrace.server,
      io.millrace.client;
  exports io.millrace.describe to
      io.millrace.worker,
      io.millrace.console,
      io.millrace.protocol;
  exports io.millrace.engine;
  exports io.millrace.engine.jmx to
      io.millrace.worker;
  exports io.millrace.engine.noted to
      io.millrace.worker,
      io.millrace.server,
      io.millrace.client,
      io.millrace.test;
  exports io.millrace.management;
  exports io.millrace.tables to
      io.millrace.client,
      io.millrace.outbox.jdbc,
      io.millrace.worker;

  uses io.millrace.spi.StoreFactory;
}
