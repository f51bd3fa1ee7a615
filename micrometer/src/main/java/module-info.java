/** Meters of engines and workers, by Micrometer. */
@SuppressWarnings({
  "requires-automatic", // Micrometer has no module descriptor; the name is in its manifest.
  "requires-transitive-automatic"
})
module io.millrace.micrometer {
  requires transitive io.millrace.worker;
  requires transitive micrometer.core;

  exports io.millrace.micrometer;
}
