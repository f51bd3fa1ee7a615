package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobType;
import io.millrace.api.QueueName;
import io.millrace.console.http.Response;
import io.millrace.console.text.PayloadText;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedules;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages of stores that have as much as they may: none is larger than a phone takes at once. */
@Timeout(120)
class LimitsTest {

  private static final int PAGE_BYTES_MAX = 100_000;

  private final ConsoleRig rig = new ConsoleRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private void assertSmall(String... paths) {
    Map<String, String> browser = rig.loggedIn(ConsoleRig.OPERATE);
    List<String> large = new ArrayList<>();
    for (String path : paths) {
      Response response = rig.app.answer(ConsoleRig.request("GET", path, browser, ""));
      assertThat(response.status()).as(path).isEqualTo(200);
      if (response.body().length > PAGE_BYTES_MAX) {
        large.add(path + ": " + response.body().length);
      }
    }
    assertThat(large).isEmpty();
  }

  @Test
  void pages_ofManyThings_areSmall() {
    String tenant = "tenant ".repeat(5);
    Schedules schedules = Schedules.of(rig.engine);
    for (int i = 0; i < 250; i++) {
      String name = "queue of a long name with <odd> characters " + i;
      rig.engine.queue(new QueueName(name, tenant)).enqueue(new byte[] {1});
      rig.enqueue("mail", "x");
      rig.die("mail", "<\"error\"> " + i + "&".repeat(300));
      schedules.put(
          Schedule.cron("nightly " + name, "0 3 * * *", ZoneOffset.UTC)
              .enqueue(JobType.of("reports", Codec.TEXT), "all"));
      rig.engine.table("table " + name, Codec.TEXT, Codec.TEXT).put("key", "x");
      rig.engine.table("rows", Codec.TEXT, Codec.TEXT).put("&".repeat(190) + i, "<".repeat(5000));
    }

    assertSmall(
        "/",
        "/queues",
        "/queues?size=1000",
        "/jobs",
        "/jobs?size=1000",
        "/jobs?state=dead",
        "/dead",
        "/schedules",
        "/schedules?size=1000",
        "/tables",
        "/tables/rows",
        "/keys");
  }

  @Test
  void job_withAllThatItMayHave_isSmall() {
    JobId job =
        rig.enqueue(
            "mail",
            "<".repeat(1 << 20),
            EnqueueOptions.DEFAULT.headers(Map.of("h", "\"".repeat(8_000))));
    rig.die("mail", "<".repeat(4_096));

    assertSmall("/jobs/" + job);
  }

  @Test
  void payload_deepObject_isNotIndentedAThousandfold() {
    String deep = "{\"a\":".repeat(990);
    String wide = "\"b\":0,".repeat(1 << 20);
    byte[] payload =
        (deep + "{" + wide + "\"c\":0}" + "}".repeat(990)).getBytes(StandardCharsets.UTF_8);

    assertThat(PayloadText.of(payload, Optional.empty()).length()).isLessThan(20_000);
  }
}
