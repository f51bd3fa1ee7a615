/** A program that names the engine and nothing else; the stores are found by their locations. */
module demo.jobs {
  requires io.millrace.engine;
}
