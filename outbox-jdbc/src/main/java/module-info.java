/** Jobs that are enqueued by a row in a transaction of an SQL database. */
module io.millrace.outbox.jdbc {
  requires transitive io.millrace.engine;
  requires transitive java.sql;
  requires org.slf4j;

  exports io.millrace.outbox.jdbc;
}
