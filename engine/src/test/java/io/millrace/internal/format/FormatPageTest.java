package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/FORMAT.md} to the code. */
class FormatPageTest {

  private final String page = read();

  @Test
  void keyspaces_ofThePage_areThoseOfTheCode() {
    List<String> expected =
        Arrays.stream(Keyspace.values())
            .map(keyspace -> String.format("| `0x%02X` | %s |", keyspace.code(), keyspace))
            .toList();

    List<String> listed =
        page.lines()
            .filter(line -> line.startsWith("| `0x"))
            .map(line -> line.substring(0, line.indexOf('|', line.indexOf("` |") + 3) + 1))
            .toList();

    assertThat(listed).isEqualTo(expected);
  }

  @Test
  void codes_ofThePage_areThoseOfTheCode() {
    String text = page.replaceAll("\\s+", " ");
    for (JobState state : JobState.values()) {
      assertThat(text).contains(StateTraits.of(state).code() + " " + state);
    }
    for (QueueStats.Total total : QueueStats.Total.values()) {
      assertThat(text).contains(CounterCodes.code(total) + " " + total);
    }
    for (TallyRecord.Count count : TallyRecord.Count.values()) {
      assertThat(text).contains(count.code() + " " + count);
    }
    for (TallyRecord.Condition condition : TallyRecord.Condition.values()) {
      assertThat(text).contains(condition.code() + " " + condition);
    }
  }

  @Test
  void fieldsOfJobs_ofThePage_areThoseOfTheCode() {
    List<String[]> rows =
        page.substring(page.indexOf("### Job:"), page.indexOf("### Lease:"))
            .lines()
            .filter(line -> line.matches("\\| \\d+ \\|.*"))
            .map(line -> line.substring(2, line.length() - 2).split(" \\| "))
            .toList();

    int lastTag = JobField.all().mapToInt(JobField::tag).max().orElseThrow();
    assertThat(rows.stream().map(row -> Integer.valueOf(row[0])))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, lastTag).boxed().toList());
    assertThat(JobField.all())
        .allSatisfy(
            field -> {
              String[] row = rows.get(field.tag() - 1);
              String byDefault = row[3].replaceFirst(",.*", "");
              assertThat(row[1] + " | " + byDefault).isEqualTo(field.onPage());
            });
  }

  @Test
  void example_ofThePage_isWhatIsWritten() {
    long birth = Sequences.first(1) + 2;
    byte[] key = ReadyKeys.key(1, 0, birth);
    JobRecord job =
        JobRecord.builder()
            .birth(birth)
            .enqueuedAtMs(1_700_000_000_000L)
            .maxAttempts(JobRecord.OF_QUEUE)
            .backoff(null)
            .payload(new Payload.Inline("hi".getBytes(UTF_8), Map.of()))
            .build();

    assertThat(Bytes.hex(key)).isEqualTo(example("key"));
    assertThat(Bytes.hex(job.encode(key))).isEqualTo(example("value"));
    assertThat(job.jobId(1)).hasToString(example("id"));
  }

  /** The digits on the line that begins with the word. */
  private String example(String word) {
    String line =
        page.lines()
            .filter(candidate -> candidate.matches(word + " +[0-9a-f][0-9a-f ]+"))
            .findFirst()
            .orElseThrow();
    return line.substring(word.length()).replace(" ", "");
  }

  /** Tests run in the module's folder; the page is beside it. */
  private static String read() {
    try {
      return Files.readString(Path.of("..", "docs", "FORMAT.md"));
    } catch (IOException e) {
      throw new AssertionError("page is missing", e);
    }
  }
}
