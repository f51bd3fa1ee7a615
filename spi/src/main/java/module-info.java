/** The contract between the Millrace engine and its stores. */
@SuppressWarnings("module") // The modules of the engine and of workers are built after this one.
module io.millrace.spi {
  requires transitive org.jspecify;

  exports io.millrace;
  exports io.millrace.options to
      io.millrace.engine,
      io.millrace.worker;
  exports io.millrace.spi;
  exports io.millrace.spi.folder;
}
