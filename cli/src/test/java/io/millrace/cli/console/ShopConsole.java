package io.millrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.fixture.ChildEngine;
import io.millrace.cli.fixture.ChildShop;
import io.millrace.cli.fixture.RunningConsole;
import io.millrace.cli.fixture.RunningConsole.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The engine called shop of {@link ChildShop}, and a console that shows it. */
final class ShopConsole implements AutoCloseable {

  private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f]{32})\"");
  private static final Pattern BATCH = Pattern.compile("\"id\":\"([0-9a-f]{16})\"");
  private static final Pattern QUEUE = Pattern.compile("\\{([a-z-]+)}");

  private final ChildEngine shop;
  private final RunningConsole console;

  ShopConsole(Path folder) throws IOException {
    this.shop = ChildShop.start(folder.toString());
    this.console = RunningConsole.start("--pid", pid(), "--store-name", "shop");
  }

  String pid() {
    return Long.toString(shop.pid());
  }

  RunningConsole console() {
    return console;
  }

  /** Returns what is at a path that is there. */
  String get(String path) throws IOException, InterruptedException {
    Answer answer = console.get(filled(path));
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.text();
  }

  /** Returns the text with the ids of the first jobs of queues in place of their names. */
  String filled(String text) throws IOException, InterruptedException {
    String filled = text;
    Matcher queue = QUEUE.matcher(text);
    while (queue.find()) {
      String name = queue.group(1);
      String id =
          name.equals("batch")
              ? first(BATCH, "/api/v1/batches")
              : first(ID, "/api/v1/jobs?queueName=" + name);
      filled = filled.replace(queue.group(), id);
    }
    return filled;
  }

  private String first(Pattern pattern, String path) throws IOException, InterruptedException {
    String text = console.get(path).text();
    Matcher id = pattern.matcher(text);
    assertThat(id.find()).as(text).isTrue();
    return id.group(1);
  }

  @Override
  public void close() throws IOException {
    console.close();
    shop.close();
  }
}
