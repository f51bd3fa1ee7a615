package io.millrace.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Limits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ErrorTextTest {

  private static final StackTraceElement HANDLER = call("com.acme.Mails", "send", 7);

  private static StackTraceElement call(String type, String method, int line) {
    return new StackTraceElement(type, method, type + ".java", line);
  }

  /** Thrown by a library that a handler calls, so many calls below it. */
  private static <T extends Throwable> T inside(T thrown, String library, int count) {
    List<StackTraceElement> calls = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      calls.add(call(library, "call" + i, i));
    }
    calls.add(HANDLER);
    calls.add(call(WorkerSetup.class.getName(), "lambda$handle$0", 1));
    calls.add(call(JobRun.class.getName(), "next", 2));
    calls.add(call(JobRun.class.getName(), "run", 3));
    calls.add(call("java.lang.Thread", "run", 4));
    thrown.setStackTrace(calls.toArray(StackTraceElement[]::new));
    return thrown;
  }

  private static int bytes(String text) {
    return text.getBytes(UTF_8).length;
  }

  @Test
  void of_aLongChainOfCauses_tellsTheFirstTen() {
    Throwable chain = new IOException("cause 12");
    for (int i = 11; i >= 1; i--) {
      chain = new IllegalStateException("cause " + i, chain);
    }

    assertThat(ErrorText.of(chain).lines().filter(line -> !line.startsWith("  ")))
        .hasSize(10)
        .last()
        .isEqualTo("caused by java.lang.IllegalStateException: cause 10");
  }

  @Test
  void of_thrownFewCallsBelowTheHandler_hasAllOfThemAndNoneOfTheWorker() {
    String text = ErrorText.of(inside(new IOException("no route"), "Lib", 3));

    assertThat(text.lines())
        .containsExactly(
            "java.io.IOException: no route",
            "  at Lib.call1(Lib.java:1)",
            "  at Lib.call2(Lib.java:2)",
            "  at Lib.call3(Lib.java:3)",
            "  at com.acme.Mails.send(com.acme.Mails.java:7)");
  }

  @Test
  void of_thrownManyCallsBelowTheHandler_hasTheInnermostAndThoseNearestToTheHandler() {
    List<String> lines = ErrorText.of(inside(new IOException("no"), "Lib", 40)).lines().toList();

    assertThat(lines).hasSize(18);
    assertThat(lines.get(1)).isEqualTo("  at Lib.call1(Lib.java:1)");
    assertThat(lines.get(8)).isEqualTo("  at Lib.call8(Lib.java:8)");
    assertThat(lines.get(9)).isEqualTo("  ... 25 more");
    assertThat(lines.get(10)).isEqualTo("  at Lib.call34(Lib.java:34)");
    assertThat(lines.get(17)).isEqualTo("  at " + HANDLER);
  }

  @Test
  void of_causesAndSuppressed_areToldWithTheCallsThatAreTheirOwn() {
    IOException root = inside(new IOException("reset"), "Net", 5);
    IllegalStateException outer = inside(new IllegalStateException("not sent", root), "Lib", 1);
    outer.addSuppressed(inside(new IOException("not closed"), "Closing", 2));

    String text = ErrorText.of(outer);

    assertThat(text.lines())
        .containsExactly(
            "java.lang.IllegalStateException: not sent",
            "  at Lib.call1(Lib.java:1)",
            "  at " + HANDLER,
            "caused by java.io.IOException: reset",
            "  at Net.call1(Net.java:1)",
            "  at Net.call2(Net.java:2)",
            "  at Net.call3(Net.java:3)",
            "  at Net.call4(Net.java:4)",
            "  at Net.call5(Net.java:5)",
            "suppressed java.io.IOException: not closed",
            "  at Closing.call1(Closing.java:1)",
            "  at Closing.call2(Closing.java:2)");
  }

  @Test
  void of_manyCausesWithLongTexts_hasTheRootAndTheHandlerWithinTheLimit() {
    Throwable thrown = inside(new IOException("the root"), "Root", 40);
    for (int i = 0; i < 4; i++) {
      thrown = inside(new IllegalStateException("x".repeat(9_000), thrown), "Lib" + i, 40);
    }

    String text = ErrorText.of(thrown);

    assertThat(text).contains("the root", "at Root.call1(", "at " + HANDLER);
    assertThat(bytes(text)).isLessThanOrEqualTo(Limits.ERROR_BYTES_MAX);
  }

  @Test
  void of_causesWithoutAnEnd_isWithinTheLimitAndEnds() {
    String text = ErrorText.of(new Endless("ü".repeat(2_000)));

    assertThat(text).startsWith(Endless.class.getName() + ": üüü").contains("caused by ");
    assertThat(text.lines().filter(line -> line.startsWith("caused by"))).hasSizeLessThan(20);
  }

  @Test
  void of_thatIsItsOwnCauseAndSuppressesItsCause_tellsEachOnce() {
    IllegalStateException one = new IllegalStateException("one");
    IllegalStateException other = new IllegalStateException("other", one);
    one.initCause(other);
    one.addSuppressed(other);

    assertThat(ErrorText.of(one).lines().filter(line -> line.contains("IllegalState")))
        .containsExactly(
            "java.lang.IllegalStateException: one",
            "caused by java.lang.IllegalStateException: other");
  }

  @Test
  void of_thatRefusesToTell_hasWhatItTold() {
    assertThat(ErrorText.of(new Refusing(true, false))).isEqualTo("it is refusing");
    assertThat(ErrorText.of(new Refusing(false, true)).lines().findFirst())
        .contains("it is refusing");
  }

  @Test
  void line_ofSeveralLines_isTheFirst() {
    assertThat(ErrorText.line(new IOException("one\ntwo"))).isEqualTo("java.io.IOException: one");
    assertThat(ErrorText.line("")).isEmpty();
  }

  @Test
  void of_aStackThatOverflowed_isWithinTheLimit() {
    StackOverflowError overflow = inside(new StackOverflowError(), "L".repeat(200), 1_000);

    assertThat(bytes(ErrorText.of(overflow))).isLessThanOrEqualTo(Limits.ERROR_BYTES_MAX);
    assertThat(ErrorText.of(overflow)).contains("at " + HANDLER);
  }

  /** Has a new cause whenever it is asked. */
  private static final class Endless extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Endless(String text) {
      super(text);
    }

    @Override
    public synchronized Throwable getCause() {
      return new Endless("deeper");
    }
  }

  private static final class Refusing extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean ofStack;
    private final boolean ofCause;

    Refusing(boolean ofStack, boolean ofCause) {
      this.ofStack = ofStack;
      this.ofCause = ofCause;
    }

    @Override
    public String toString() {
      return "it is refusing";
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      if (ofStack) {
        throw new IllegalStateException("no stack");
      }
      return IntStream.range(0, 3)
          .mapToObj(i -> call("Own", "call", i))
          .toArray(StackTraceElement[]::new);
    }

    @Override
    public synchronized Throwable getCause() {
      if (ofCause) {
        throw new IllegalStateException("no cause");
      }
      return null;
    }
  }
}
