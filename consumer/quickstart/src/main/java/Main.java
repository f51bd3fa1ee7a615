import io.millrace.api.Codec;
import io.millrace.api.JobEnd;
import io.millrace.api.JobType;
import io.millrace.api.ResultJobType;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Worker;

/** A first program. */
public final class Main {

  private static final ResultJobType<String, String> GREETING =
      JobType.of("greeting", Codec.TEXT).returning(Codec.TEXT);

  private Main() {}

  /** Takes the store's location, by default {@code lmdb:data/jobs}. */
  public static void main(String[] args) throws Exception {
    String location = args.length == 0 ? "lmdb:data/jobs" : args[0];
    try (JobEngine engine = JobEngine.open(location)) {
      Worker worker =
          Worker.on(engine).compute(GREETING, (name, job) -> "Hello, " + name).start();
      JobEnd<String> end = engine.submit(GREETING, "Ada").end().get();
      System.out.println(end);
      worker.close();
    }
  }
}
