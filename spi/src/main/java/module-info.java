/** The contract between the Millrace engine and its stores. */
@SuppressWarnings("module") // The engine is built after this one, and is not found yet.
module io.millrace.spi {
  requires transitive org.jspecify;

  exports io.millrace;
  exports io.millrace.options to
      io.millrace.engine;
  exports io.millrace.spi;
  exports io.millrace.spi.folder;
}
