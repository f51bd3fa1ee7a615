package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobState;
import io.millrace.console.page.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Each page of the console, of a store that has something on all of them. */
class EachPageInBrowserTest extends BrowserTest {

  private static final int PAGE_BYTES_MAX = 100_000;
  private static final int PHONE_WIDTH = 390;
  private static final int PHONE_HEIGHT = 844;

  /** Elements that reach beyond the window, and are in none that can be scrolled. */
  private static final String WIDE_ELEMENTS =
      "return [...document.querySelectorAll('body *')]"
          + ".filter(it => it.getBoundingClientRect().right > 390 && !it.closest('.wide'))"
          + ".map(it => it.outerHTML.slice(0, 150))";

  private static final String CHANGING = "form[method=post], a[href*='/confirm']";

  /** Texts that the pages of the menu show of such a store. */
  private static final Map<Section, List<String>> SHOWN = new LinkedHashMap<>();

  static {
    SHOWN.put(Section.OVERVIEW, List.of("The last hour", "mail", "oldest ready"));
    SHOWN.put(Section.QUEUES, List.of("mail", "thumbnails", "acme", "webhooks"));
    SHOWN.put(Section.JOBS, List.of("mail", "blocked", "waiting", "done", "1 of 20"));
    SHOWN.put(Section.DEAD, List.of("webhooks", "java.net.ConnectException: Connection refused"));
    SHOWN.put(Section.RUNNING, List.of("Jobs that a worker holds", "thumbnails"));
    SHOWN.put(Section.SCHEDULES, List.of("nightly report", " 03:00:00", "reports"));
    SHOWN.put(Section.BATCHES, List.of("import of May"));
    SHOWN.put(Section.KEYS, List.of("customer-7"));
    SHOWN.put(Section.TABLES, List.of("customers"));
    SHOWN.put(Section.TASKS, List.of("jobs.redrive", "done"));
    SHOWN.put(Section.STORE, List.of("The engine is up", "oldest reader"));
  }

  private final Shown shown = show();
  private final AllKinds kinds = AllKinds.of(shown);

  /** Returns the paths of all pages: those of the menu, and of each thing that they lead to. */
  private List<String> pages() {
    List<String> pages = new ArrayList<>();
    for (Section section : Section.values()) {
      pages.add(section.path());
    }
    kinds.jobs().values().forEach(job -> pages.add("/jobs/" + job));
    pages.add("/jobs?state=dead");
    pages.add("/queue?queueName=thumbnails&tenant=");
    pages.add("/queue?queueName=rows&tenant=acme");
    pages.add("/batches/" + kinds.batch());
    pages.add("/tables/customers");
    pages.add("/tasks/1");
    pages.add("/verify");
    pages.add("/confirm?action=jobs.delete&state=dead&back=/dead");
    pages.add("/login");
    return pages;
  }

  /** Comes in, and does a task, so that there is one. */
  private void enter() {
    shown.dead("webhooks", "no such host");
    shown.enter();
    shown.open("/jobs?errorContains=host");
    chrome.click("Redrive all…");
    chrome.click("Yes, do it");
    chrome.await("the task's end", () -> chrome.text("#task").contains("done: 1 of 1"));
  }

  @Test
  void menu_eachOfItsLinks_leadsToItsPageWithData() {
    enter();
    assertThat(SHOWN.keySet()).containsExactly(Section.values());
    assertThat(chrome.texts("header nav a"))
        .isEqualTo(SHOWN.keySet().stream().map(Section::title).toList());

    SHOWN.forEach(
        (section, texts) -> {
          chrome.click(section.title());
          assertThat(chrome.path()).isEqualTo(section.path());
          assertThat(chrome.text("[aria-current=page]")).isEqualTo(section.title());
          assertThat(chrome.title()).endsWith(" · Orders");
          assertThat(chrome.text()).as(section.title()).contains(texts);
        });
  }

  @Test
  void links_ofAllPages_leadToPages() {
    enter();
    Set<String> paths = new LinkedHashSet<>(pages());
    for (String page : pages()) {
      found(page, "a[href^='/']").stream()
          .filter(link -> !link.contains("/confirm"))
          .forEach(paths::add);
    }

    assertThat(paths).hasSizeGreaterThan(60);
    for (String path : paths) {
      long status = chrome.number("(await fetch('" + path.replace("'", "%27") + "')).status");
      assertThat(status).as(path).isEqualTo(200);
    }
  }

  /** Returns where the elements of a page lead that a selector finds; the page is not opened. */
  private List<String> found(String page, String selector) {
    Object found =
        chrome.js(
            "return (async () => {"
                + "  const text = await (await fetch(arguments[0])).text();"
                + "  const page = new DOMParser().parseFromString(text, 'text/html');"
                + "  return [...page.querySelectorAll(arguments[1])]"
                + "    .map(it => it.getAttribute('action') || it.getAttribute('href')); })()",
            page,
            selector);
    return ((List<?>) found).stream().map(String::valueOf).toList();
  }

  @Test
  void pages_all_haveNoBarriersInLightAndDark() {
    enter();
    List<String> barriers = new ArrayList<>();
    for (String page : pages()) {
      shown.open(page);
      chrome.barriers().forEach(barrier -> barriers.add(page + " " + barrier));
      chrome.dark(true);
      chrome.barriersOfColours().forEach(barrier -> barriers.add("dark " + page + " " + barrier));
      chrome.dark(false);
    }

    assertThat(barriers).isEmpty();
  }

  @Test
  void barriers_pageWithSome_areFound() {
    shown.enter();
    chrome.js("document.querySelector('main').innerHTML = '<img src=\"/assets/icon.svg\">'");
    assertThat(chrome.barriers()).singleElement().asString().startsWith("image-alt: ");
    chrome.js(
        "document.querySelector('main').innerHTML = '<p class=plant>dim</p>';"
            + "document.querySelector('.plant').style.color = '#333'");
    chrome.dark(true);

    assertThat(chrome.barriersOfColours()).singleElement().asString().startsWith("color-contrast");
  }

  @Test
  void pages_all_fitOnAPhoneAndAreSmall() {
    enter();
    chrome.size(PHONE_WIDTH, PHONE_HEIGHT);
    List<String> wide = new ArrayList<>();
    for (String page : pages()) {
      shown.open(page);
      assertThat(chrome.pageBytes()).as(page).isBetween(500L, (long) PAGE_BYTES_MAX);
      long width = chrome.number("document.documentElement.scrollWidth");
      if (width > PHONE_WIDTH) {
        wide.add(page + ": " + width + " " + chrome.js(WIDE_ELEMENTS));
      }
    }

    assertThat(wide).isEmpty();
  }

  @Test
  void colours_ofDarkAndLight_differ() {
    shown.enter();
    String script = "return getComputedStyle(document.documentElement).backgroundColor";
    Object light = chrome.js(script);
    chrome.dark(true);

    assertThat(light).isEqualTo("rgb(255, 255, 255)");
    assertThat(chrome.js(script)).isEqualTo("rgb(20, 24, 31)");
  }

  @Test
  void keyboard_leadsThroughThePageAndActs_withAFocusThatIsSeen() {
    shown.enter();
    shown.open(kinds.jobs().get(JobState.DEAD));

    chrome.press(Keys.TAB);
    assertThat(focus()).isEqualTo("To the content");
    assertThat(chrome.number("document.activeElement.getBoundingClientRect().left")).isPositive();
    List<String> met = new ArrayList<>();
    while (!focus().equals("Redrive") && met.size() < 50) {
      met.add(focus());
      chrome.press(Keys.TAB);
      assertThat(chrome.number("parseFloat(getComputedStyle(document.activeElement).outlineWidth)"))
          .as("the outline of " + focus())
          .isGreaterThanOrEqualTo(2);
    }
    assertThat(met).contains("Orders", "Overview", "Store", "Log out");
    chrome.pressToLeave(Keys.ENTER);

    assertThat(chrome.text("[role=status]")).isEqualTo("job.redrive: redriven");
  }

  private String focus() {
    return String.valueOf(chrome.js("return document.activeElement.innerText"));
  }

  @Test
  void reader_anyPage_hasNothingThatChangesAnything() {
    enter();
    List<String> changing = new ArrayList<>();
    pages().forEach(page -> changing.addAll(found(page, CHANGING)));
    assertThat(changing).as("those of an operator").hasSizeGreaterThan(40);
    shown.enterAsReader();

    for (String page : pages()) {
      if (!page.equals("/login")) {
        assertThat(found(page, CHANGING)).as(page).isSubsetOf("/logout");
      }
    }
    shown.open(kinds.jobs().get(JobState.DEAD));
    assertThat(chrome.text()).contains("read only", "Connection refused");
    assertThat(chrome.hasClickable("Redrive")).isFalse();
  }

  @Test
  void everyPage_nothingInTheStore_isThere() {
    Shown empty = show();
    empty.enter();
    for (Section section : Section.values()) {
      chrome.click(section.title());
      assertThat(chrome.has("h1")).as(section.title()).isTrue();
    }
    assertThat(chrome.text()).contains("The engine is up");
  }
}
