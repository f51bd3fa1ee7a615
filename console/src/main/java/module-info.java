/** A console in the browser for queues and jobs. */
@SuppressWarnings({
  "requires-automatic", // HdrHistogram has no module descriptor; the name comes from its file.
  "requires-transitive-automatic"
})
module io.millrace.console {
  requires transitive io.millrace.worker;
  requires transitive jdk.httpserver;
  requires io.millrace.workflow;
  requires com.fasterxml.jackson.core;
  requires gg.jte.runtime;
  requires HdrHistogram;
  requires static java.compiler; // for an annotation of what is generated
  requires org.slf4j;

  exports io.millrace.console;
  exports io.millrace.console.hook;

  opens io.millrace.console.templates to
      gg.jte.runtime;
}
