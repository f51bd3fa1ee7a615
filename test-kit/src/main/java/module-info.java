/** Tests in virtual time: the real engine in memory, with a clock that the test moves. */
module io.millrace.test {
  requires transitive io.millrace.worker;
  requires io.millrace.store.memory;
  requires static transitive org.junit.jupiter.api;

  exports io.millrace.test;
}
