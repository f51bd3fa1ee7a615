/** The contract between the Millrace engine and its stores. */
@SuppressWarnings("module") // The other modules are built after this one, and are not found yet.
module io.millrace.spi {
  requires transitive org.jspecify;

  exports io.millrace;
  exports io.millrace.options to
      io.millrace.client,
      io.millrace.console,
      io.millrace.engine,
      io.millrace.micrometer,
      io.millrace.opentelemetry,
      io.millrace.outbox.jdbc,
      io.millrace.server,
      io.millrace.test,
      io.millrace.worker,
      io.millrace.workflow;
  exports io.millrace.spi;
  exports io.millrace.spi.folder;
}
