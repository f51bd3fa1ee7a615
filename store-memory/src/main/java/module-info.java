/** The store that keeps everything in memory and nothing on disk. */
module io.millrace.store.memory {
  requires transitive io.millrace.spi;
  requires transitive org.jspecify;

  exports io.millrace.store.memory;

  provides io.millrace.spi.StoreFactory with
      io.millrace.store.memory.MemoryStoreFactory;
}
