/** A program that names the workers, which bring the engine, and nothing else; the stores are found by their locations. */
module demo.jobs {
  requires io.millrace.worker;
}
