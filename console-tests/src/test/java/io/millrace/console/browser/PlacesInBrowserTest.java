package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.millrace.api.JobId;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.console.Console;
import io.millrace.console.HandledConsole;
import io.millrace.console.hook.Role;
import io.millrace.console.hook.Visitor;
import io.millrace.console.page.Section;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Consoles that are not served as most are. */
class PlacesInBrowserTest extends BrowserTest {

  private final Shown shown = show();

  @Test
  void handler_belowAPathOfTheApplicationsServer_pagesAndActionsWorkThere() throws IOException {
    JobId job = shown.dead("mail", "no such address");
    HandledConsole handled =
        Console.on(shown.engine)
            .access(request -> Optional.of(new Visitor("ada", Role.OPERATE)))
            .handler();
    ExecutorService threads = Executors.newCachedThreadPool();
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.setExecutor(threads);
    server.createContext("/ops/jobs", handled);
    server.start();
    closing(
        () -> {
          handled.close();
          server.stop(0);
          threads.shutdownNow();
        });

    chrome.open(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/ops/jobs"));
    for (Section section : Section.values()) {
      chrome.click(section.title());
      assertThat(chrome.path()).isEqualTo("/ops/jobs" + section.path());
      assertThat(chrome.text()).contains("ada").doesNotContain("Log out");
    }
    chrome.click("Dead letters");
    chrome.click("1");
    chrome.click(job.toString());
    chrome.click("Redrive");

    assertThat(chrome.text("[role=status]")).isEqualTo("job.redrive: redriven");
    assertThat(shown.state(job)).isEqualTo(JobState.READY);
    chrome.click("Overview");
    chrome.await("live figures", () -> chrome.has("#figures[data-at]"));
  }

  @Test
  void reader_storeThatIsOnlyRead_evenOperatorsChangeNothing() {
    JobId job = shown.dead("mail", "no such address");
    Console console = closing(Console.on((JobReader) shown.engine).start());

    chrome.open(console.link());
    assertThat(chrome.texts(".badge")).containsExactly("read only");
    chrome.open(console.uri().resolve("/jobs/" + job));
    assertThat(chrome.text()).contains("no such address");
    assertThat(chrome.hasClickable("Redrive")).isFalse();
    chrome.click("Store");

    assertThat(chrome.text()).contains("No engine has the store open");
  }
}
