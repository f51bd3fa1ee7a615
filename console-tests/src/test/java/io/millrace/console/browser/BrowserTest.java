package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.JobEngine;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** A test in the browser, whose log has no errors in the end but those that the test has taken. */
@Tag("thorough")
@Timeout(180)
abstract class BrowserTest {

  final Chrome chrome = Chrome.fresh();

  private final Deque<AutoCloseable> toClose = new ArrayDeque<>();

  @BeforeAll
  static void require() {
    Tools.require();
  }

  /** Returns an engine whose console ends with the test, when the browser has left it. */
  Shown show() {
    return show(Shown.inMemory());
  }

  Shown show(JobEngine engine) {
    return closing(new Shown(chrome, engine));
  }

  /** Closes something after the test, before what came earlier. */
  <T extends AutoCloseable> T closing(T thing) {
    toClose.push(thing);
    return thing;
  }

  @AfterEach
  void checkLogAndClose() throws Exception {
    List<String> log = chrome.takeLog();
    chrome.goAway();
    while (!toClose.isEmpty()) {
      toClose.pop().close();
    }
    assertThat(log).as("the browser's log").isEmpty();
  }
}
