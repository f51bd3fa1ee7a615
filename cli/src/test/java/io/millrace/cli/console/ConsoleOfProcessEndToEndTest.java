package io.millrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.fixture.RunningConsole;
import io.millrace.cli.fixture.RunningConsole.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The console of an engine in another process. */
@Tag("thorough")
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConsoleOfProcessEndToEndTest {

  private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f]{32})\"");

  private Optional<ShopConsole> shop = Optional.empty();

  @BeforeAll
  void start(@TempDir Path temp) throws IOException {
    shop = Optional.of(new ShopConsole(temp));
  }

  @AfterAll
  void end() throws IOException {
    shop.orElseThrow().close();
  }

  private String get(String path) throws IOException, InterruptedException {
    return shop.orElseThrow().get(path);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/ | plain | only seen in the process of their engine",
        "/queues | later | drop",
        "/queue?queueName=plain | leaseDuration | PT30S",
        "/jobs?queueName=plain | type of plain | ready",
        "/jobs/{plain} | payload of plain | to: Ada",
        "/jobs/{plain} | no claim waits for jobs of its queue | Cancel",
        "/jobs/{later} | only-one | delayed",
        "/dead?queueName=dead | no route | type of dead",
        "/running | Worker clerk | half of Ada",
        "/running | ChildShop.waitInVain | Jobs that a worker holds",
        "/schedules | nightly | 03:00:00",
        "/batches | import | ",
        "/batches/{batch} | import | <dt>left</dt><dd>1</dd>",
        "/keys | printer | ",
        "/tables | stock | ",
        "/tables/stock | tea/black | twelve",
        "/tables/stock?prefix=coffee | There are no such rows | ",
        "/tasks | <h1> | ",
        "/store | The engine is <strong>up</strong> | Back up",
        "/verify | nothing is wrong | jobs",
        "/confirm?action=jobs.delete&queueName=dead&state=dead&back=/ | jobs.delete | 1"
      })
  void page_ofAnotherProcess_showsWhatItHolds(String path, String one, String other)
      throws Exception {
    assertThat(get(path)).contains(one).contains(Optional.ofNullable(other).orElse(""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/engine | \"canChange\":true | \"status\":\"UP\"",
        "/queues | \"queue\":\"plain\" | \"queue\":\"later\"",
        "/queue?queueName=plain | \"ready\":1 | \"leaseDuration\":\"PT30S\"",
        "/jobs?queueName=plain | \"payloadText\":\"payload of plain\" | \"type\":\"type of plain\"",
        "/jobs/{plain} | \"payloadText\":\"payload of plain\" | \"to\":\"Ada\"",
        "/jobs/{plain}/explanation | \"kind\":\"NoClaims\" | ",
        "/dead/groups?queueName=dead | \"error\":\"no route\" | \"count\":1",
        "/workers | \"name\":\"clerk\" | \"text\":\"half of Ada\"",
        "/schedules | \"schedule\":\"nightly\" | \"owner\":\"reports\"",
        "/schedules/nightly/next | T03:00:00Z | ",
        "/batches | \"name\":\"import\" | \"left\":1",
        "/batches/{batch} | \"name\":\"import\" | ",
        "/keys | \"key\":\"printer\",\"running\":1,\"waiting\":1 | \"isWhole\":true",
        "/tables | \"stock\" | ",
        "/tables/stock | tea/black | twelve",
        "/tasks | \"tasks\":[ | "
      })
  void json_ofAnotherProcess_tellsWhatItHolds(String path, String one, String other)
      throws Exception {
    assertThat(get("/api/v1" + path)).contains(one).contains(Optional.ofNullable(other).orElse(""));
  }

  @Test
  void workersAndSchedules_ofAnotherEngineInTheProcess_areNotShown() throws Exception {
    assertThat(get("/api/v1/workers")).doesNotContain("stranger");
    assertThat(get("/running")).doesNotContain("stranger");
    assertThat(get("/schedules")).doesNotContain("foreign");
  }

  @Test
  void history_ofAnotherProcess_hasNoTimesInsteadOfZeros() throws Exception {
    String history = get("/api/v1/history");
    while (!history.contains("\"ready\":")) { // the first point is on its way
      history = get("/api/v1/history");
    }

    assertThat(history).contains("\"enqueued\":", "\"dead\":").doesNotContain("waitP50Us");
  }

  @Test
  void jobs_ofManyBytes_areListedWholeWithoutThemAndInShortPagesWithThem() throws Exception {
    String page = get("/jobs?queueName=large&size=50");
    String json = get("/api/v1/jobs?queueName=large&size=50");

    assertThat(page.split("type", -1)).hasSizeGreaterThan(1);
    assertThat(page.split("<th scope=\"row\">", -1)).hasSize(26);
    assertThat(page).doesNotContain("rel=\"next\"");
    assertThat(ID.matcher(json).results()).hasSizeBetween(1, 20);
    assertThat(json).contains("\"payloadBytes\":1048576", "\"next\":\"");
  }

  @Test
  void lists_ofASize_leadOnUntilAllWereShown() throws Exception {
    String path = "/api/v1/queues?size=3";
    int shown = 0;
    for (int pages = 0; !path.isEmpty() && pages < 50; pages++) {
      String page = get(path);
      long onPage = Pattern.compile("\"queue\":").matcher(page).results().count();
      assertThat(onPage).isLessThanOrEqualTo(3);
      shown += (int) onPage;
      Matcher next = Pattern.compile("\"next\":\"([^\"]+)\"").matcher(page);
      path = next.find() ? "/api/v1/queues?size=3&cursor=" + next.group(1) : "";
    }

    long whole = Pattern.compile("\"queue\":").matcher(get("/api/v1/queues")).results().count();
    assertThat(shown).isEqualTo((int) whole).isGreaterThan(10);
  }

  @Test
  void wrongQuestions_areRefusedAsInTheProcessItself() throws Exception {
    Answer cursor = shop.orElseThrow().console().get("/api/v1/queues?cursor=odd");
    Answer queue = shop.orElseThrow().console().get("/queue?queueName=none");
    Answer table = shop.orElseThrow().console().get("/tables/millrace.tables");

    assertThat(cursor.status()).isEqualTo(400);
    assertThat(cursor.text()).contains("the engine refuses that", "cursor");
    assertThat(queue.status()).isEqualTo(404);
    assertThat(table.status()).isEqualTo(400);
  }

  @Test
  void readOnly_nothingIsChanged() throws Exception {
    try (RunningConsole reading =
        RunningConsole.start(
            "--pid", shop.orElseThrow().pid(), "--store-name", "shop", "--read-only")) {
      Answer refused = reading.act("queue.pause", "queueName=plain");

      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.text()).contains("store was opened to be read: nothing changes");
      assertThat(reading.get("/api/v1/engine").text()).contains("\"canChange\":false");
      assertThat(reading.get("/queues").text()).contains("read only", "plain");
    }
  }
}
