package io.millrace.model.damage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.engine.StorePlace;
import io.millrace.model.damage.Contents.Entry;
import io.millrace.spi.StoreOptions.LostCommits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;

/**
 * A process that examines one damaged store after the other: damaged pages may take it along. Each
 * line of its input is an order, whether lost commits are accepted, and a location; each verdict is
 * a line of its output.
 *
 * <p>Argument: the list of jobs.
 */
final class DamageProcess {

  private DamageProcess() {}

  public static void main(String[] arguments) throws IOException {
    List<Entry> jobs = Contents.read(Path.of(arguments[0]));
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String[] parts = line.split(" ", 3);
      Verdict verdict =
          new DamagedStore(jobs)
              .examine(
                  StorePlace.of(parts[2]),
                  LostCommits.valueOf(parts[1]),
                  DamagedStore.Order.valueOf(parts[0]));
      System.out.println(verdict.line());
    }
  }
}
