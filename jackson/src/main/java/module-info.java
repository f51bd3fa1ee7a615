/** Payloads, results and rows of tables as JSON. */
module io.millrace.jackson {
  requires transitive io.millrace.engine;
  requires transitive com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.datatype.jdk8;
  requires com.fasterxml.jackson.datatype.jsr310;

  exports io.millrace.jackson;
}
