package io.millrace.console.browser;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A Chromium without a window, which a test drives as a person does. For one thread. */
final class Chrome {

  static final int WIDTH = 1280;
  static final int HEIGHT = 900;

  /** The time within which a page has to show what a test waits for. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String IS_ANOTHER =
      "return !window.isLeft && document.readyState === 'complete'";

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final ChromeDriver driver;
  private final String axe;

  private Chrome(ChromeDriver driver) {
    this.driver = driver;
    this.axe = resource("/axe.min.js");
  }

  /** The browser of all tests, once one has wanted it: a start takes longer than most tests. */
  private static final class Holder {
    private static final Chrome SHARED = start();
  }

  /** Returns the browser of all tests, as if nobody had used it. */
  static Chrome fresh() {
    Tools.require();
    Chrome chrome = Holder.SHARED;
    chrome.forgetCookies();
    chrome.driver.get("about:blank");
    chrome.dark(false);
    chrome.size(WIDTH, HEIGHT);
    chrome.takeLog();
    return chrome;
  }

  private static Chrome start() {
    Tools tools = Tools.require();
    ChromeOptions options = new ChromeOptions();
    options.setBinary(tools.chromium().toFile());
    options.addArguments(
        "--headless=new",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--no-first-run",
        "--force-color-profile=srgb",
        "--hide-scrollbars",
        "--lang=en");
    if ("root".equals(System.getProperty("user.name"))) {
      options.addArguments("--no-sandbox"); // refused to root
    }
    LoggingPreferences log = new LoggingPreferences();
    log.enable(LogType.BROWSER, Level.ALL);
    options.setCapability(ChromeOptions.LOGGING_PREFS, log);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(tools.driver().toFile())
            .usingAnyFreePort()
            .withEnvironment(Map.of("TZ", "UTC"))
            .build();
    ChromeDriver driver = new ChromeDriver(service, options);
    Runtime.getRuntime().addShutdownHook(new Thread(driver::quit));
    driver.manage().timeouts().pageLoadTimeout(PATIENCE);
    return new Chrome(driver);
  }

  private static String resource(String name) {
    try (InputStream in = Chrome.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // What a person does.

  void open(URI page) {
    leave(() -> driver.get(page.toString()));
  }

  /** Leaves the console, so that it can be closed. */
  void goAway() {
    driver.get("about:blank");
  }

  void reload() {
    leave(() -> driver.navigate().refresh());
  }

  /** Clicks on the first link, button or summary of this text. */
  void click(String label) {
    clickWithin("//body", label);
  }

  /** Clicks on that of the row of a table that has a text. */
  void clickInRow(String row, String label) {
    clickWithin("//tr[contains(., " + quoted(row) + ")]", label);
  }

  private void clickWithin(String place, String label) {
    WebElement clicked = driver.findElement(By.xpath(place + clickable(label)));
    if (clicked.getTagName().equals("summary")) {
      clicked.click();
    } else {
      leave(clicked::click);
    }
  }

  /**
   * Does what leads to another page, or to this one anew, and waits until it is there: the driver
   * has been seen to return before.
   */
  private void leave(Runnable deed) {
    js("window.isLeft = true");
    deed.run();
    await("another page", () -> (boolean) js(IS_ANOTHER));
  }

  /** Tells whether there is something to click with this text. */
  boolean hasClickable(String label) {
    return !driver.findElements(By.xpath("//body" + clickable(label))).isEmpty();
  }

  private static String clickable(String label) {
    return "//*[self::a or self::button or self::summary][normalize-space()=" + quoted(label) + "]";
  }

  /** Returns a text for XPath, which knows no escapes. */
  private static String quoted(String text) {
    return text.contains("'") ? "\"" + text + "\"" : "'" + text + "'";
  }

  /** Writes into the first field of this name, in place of what is there. */
  void fill(String name, String value) {
    fill(By.name(name), value);
  }

  /** Writes into the field of the row of a table that has a text. */
  void fillInRow(String row, String name, String value) {
    String field = "//tr[contains(., " + quoted(row) + ")]//*[@name=" + quoted(name) + "]";
    fill(By.xpath(field), value);
  }

  private void fill(By where, String value) {
    List<WebElement> fields = driver.findElements(where);
    WebElement field =
        fields.stream()
            .filter(WebElement::isDisplayed)
            .findFirst()
            .orElseThrow(() -> new NoSuchElementException("no field: " + where + ", page=" + this));
    field.clear();
    field.sendKeys(value);
  }

  /** Ticks the box of this value. */
  void tick(String name, String value) {
    driver.findElement(By.cssSelector("input[name='" + name + "'][value='" + value + "']")).click();
  }

  /** Sends the form that a field is in, as the key Enter does. */
  void enter(String field) {
    WebElement entered = driver.findElement(By.name(field));
    leave(() -> entered.sendKeys(Keys.ENTER));
  }

  /** Presses a key, wherever the focus is. */
  void press(CharSequence key) {
    driver.switchTo().activeElement().sendKeys(key);
  }

  /** Presses a key on what has the focus, which leads to another page. */
  void pressToLeave(CharSequence key) {
    leave(() -> press(key));
  }

  // What a person sees.

  String path() {
    URI uri = URI.create(driver.getCurrentUrl());
    return uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
  }

  String title() {
    return driver.getTitle();
  }

  String heading() {
    return driver.findElement(By.tagName("h1")).getText();
  }

  /** Returns all that can be read on the page. */
  String text() {
    return driver.findElement(By.tagName("body")).getText();
  }

  /** Returns what can be read in the elements that a selector finds. */
  List<String> texts(String selector) {
    // In one call: pages may have hundreds of them.
    Object texts =
        js("return [...document.querySelectorAll(arguments[0])].map(it => it.innerText)", selector);
    return ((List<?>) texts).stream().map(String::valueOf).toList();
  }

  String text(String selector) {
    return driver.findElement(By.cssSelector(selector)).getText();
  }

  boolean has(String selector) {
    return !driver.findElements(By.cssSelector(selector)).isEmpty();
  }

  /** Returns what stands in a field. */
  String value(String name) {
    return String.valueOf(driver.findElement(By.name(name)).getDomProperty("value"));
  }

  /** Waits until something is true of the page, which may be replaced meanwhile. */
  void await(String what, Supplier<Boolean> condition) {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (!isSoFar(condition)) {
      if (System.nanoTime() - endNs > 0) {
        throw new AssertionError(
            "waited in vain: for=" + what + ", page=" + path() + "\n" + text());
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private static boolean isSoFar(Supplier<Boolean> condition) {
    try {
      return condition.get();
    } catch (StaleElementReferenceException | NoSuchElementException e) {
      return false; // replaced at this moment
    }
  }

  // What the browser knows.

  /** Returns what the page's own script would get. */
  Object js(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  long number(String script) {
    return Math.round(((Number) js("return (async () => " + script + ")()")).doubleValue());
  }

  /** Returns the bytes of the page, without its scripts and styles. */
  long pageBytes() {
    return number("performance.getEntriesByType('navigation')[0].decodedBodySize");
  }

  /** Returns the errors that the browser has noted since it was asked last. */
  List<String> takeLog() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  /** Waits for so many errors, which the browser notes some time after they happened. */
  List<String> awaitLog(int count) {
    List<String> log = new ArrayList<>();
    await(
        count + " errors in the log",
        () -> {
          log.addAll(takeLog());
          return log.size() >= count;
        });
    return log;
  }

  /** Ends all sessions, as far as the browser knows. */
  void forgetCookies() {
    command("Network.clearBrowserCookies", Map.of());
  }

  void dark(boolean is) {
    Map<String, String> scheme =
        Map.of("name", "prefers-color-scheme", "value", is ? "dark" : "light");
    command("Emulation.setEmulatedMedia", Map.of("features", List.of(scheme)));
  }

  void size(int width, int height) {
    boolean isPhone = width < 600;
    command(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", isPhone));
  }

  byte[] picture() {
    return driver.getScreenshotAs(OutputType.BYTES);
  }

  private void command(String name, Map<String, Object> parameters) {
    driver.executeCdpCommand(name, parameters);
  }

  /** Returns what axe finds serious or critical on the page, a line each. */
  List<String> barriers() {
    return barriers("{resultTypes: ['violations']}");
  }

  /** Returns what axe finds of the page's colours alone. */
  List<String> barriersOfColours() {
    return barriers("{runOnly: {type: 'rule', values: ['color-contrast', 'link-in-text-block']}}");
  }

  private List<String> barriers(String options) {
    js(axe);
    Object found =
        driver.executeAsyncScript(
            "const done = arguments[arguments.length - 1];"
                + "axe.run(%s).then(it => done(it.violations.filter(".formatted(options)
                + "    each => each.impact === 'serious' || each.impact === 'critical').map("
                + "    each => each.id + ': ' + each.help + ' '"
                + "        + each.nodes.map(node => node.html + ' ' + node.failureSummary))),"
                + "  error => done(['axe has failed: ' + error]))");
    return ((List<?>) found).stream().map(String::valueOf).toList();
  }

  /** Returns a text for messages: where the browser is, and what it shows. */
  @Override
  public String toString() {
    return path() + "\n" + text().lines().limit(30).collect(joining("\n"));
  }
}
