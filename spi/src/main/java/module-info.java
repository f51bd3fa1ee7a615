/** The contract between the Millrace engine and its stores. */
module io.millrace.spi {
  requires transitive org.jspecify;

  exports io.millrace;
  exports io.millrace.spi;
  exports io.millrace.spi.folder;
}
