/** Spans and metrics of jobs, by OpenTelemetry. */
@SuppressWarnings({
  "requires-automatic", // OpenTelemetry has no module descriptors; the names are in its manifests.
  "requires-transitive-automatic"
})
module io.millrace.opentelemetry {
  requires transitive io.millrace.worker;
  requires transitive io.opentelemetry.api;
  requires io.opentelemetry.context;
  requires org.slf4j;

  exports io.millrace.opentelemetry;
}
