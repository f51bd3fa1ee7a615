import static io.millrace.jackson.JsonCodec.json;

import io.millrace.api.JobEnd;
import io.millrace.api.JobType;
import io.millrace.api.ResultJobType;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Worker;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs a job whose payload and result are JSON on each kind of store, and says with which libraries. */
public final class Main {

  private static final ResultJobType<Invoice, Answer> PAY =
      JobType.of("pay", json(Invoice.class)).returning(json(Answer.class));
  private static final Pattern LIBRARY =
      Pattern.compile(
          ".*/((?:agrona|slf4j-api|lmdbjava|jnr-ffi|asm|rocksdbjni|jackson-databind)-[0-9.]+)\\.jar");

  private Main() {}

  record Invoice(String to, LocalDate due, List<Integer> cents) {}

  record Answer(int sum) {}

  /** Takes a folder for the stores. */
  public static void main(String[] args) {
    for (String location : List.of("memory:jobs", "rocksdb:" + args[0] + "/r", "lmdb:" + args[0] + "/l")) {
      try (JobEngine engine = JobEngine.open(location)) {
        Worker worker = Worker.on(engine).compute(PAY, (invoice, job) -> sum(invoice)).start();
        Invoice invoice = new Invoice("Ada", LocalDate.of(2026, 12, 1), List.of(40, 2));
        JobEnd<Answer> end = engine.submit(PAY, invoice).end().join();
        if (!end.equals(new JobEnd.Completed<>(new Answer(42)))) {
          throw new IllegalStateException("another result on " + location + ": " + end);
        }
        worker.close();
      }
    }
    System.out.println(
        Arrays.stream(System.getProperty("java.class.path").split(":"))
            .map(LIBRARY::matcher)
            .filter(Matcher::matches)
            .map(jar -> jar.group(1))
            .sorted()
            .collect(Collectors.joining(", ")));
  }

  private static Answer sum(Invoice invoice) {
    return new Answer(invoice.cents().stream().mapToInt(Integer::intValue).sum());
  }
}
