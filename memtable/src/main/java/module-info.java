/** Rows in memory and a log, before a store on disk. */
module io.millrace.memtable {
  requires transitive io.millrace.spi;
  requires transitive org.jspecify;
  requires io.millrace.store.memory;

  exports io.millrace.memtable;
  exports io.millrace.memtable.log;
}
