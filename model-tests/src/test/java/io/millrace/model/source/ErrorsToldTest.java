package io.millrace.model.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every method that users may call says what it throws. */
class ErrorsToldTest {

  private static final Path REPOSITORY = Path.of("..");

  /** The contract suites of stores: their methods are tests, and the parts of tests. */
  private static final String SUITES = "millrace-spi-testkit";

  /** Methods that refuse nothing but null: they only keep what they are given, or look at it. */
  private static final Set<String> KEEPING =
      Set.of(
          "AccessCheck.visitor",
          "Batch.within",
          "Console.on",
          "ConsoleSetup.access",
          "ConsoleSetup.address",
          "ConsoleSetup.payloads",
          "ConsoleSetup.tls",
          "ConsoleSetup.worker",
          "EngineReport.of",
          "Enqueued.duplicateOf",
          "Enqueued.inPlaceOf",
          "HandlerOptions.permanent",
          "HandlerOptions.releaseOn",
          "Incoming.cookie",
          "Incoming.header",
          "JobContext.hasTimedOut",
          "JobContext.signalled",
          "JdbcOutbox.on",
          "JdbcOutbox.relay",
          "JobQueues.queue",
          "JsonCodec.json",
          "KeptStep.of",
          "MillraceTelemetry.of",
          "MillraceTelemetry.queues",
          "MillraceTelemetry.trace",
          "OncePerJob.on",
          "Options.values",
          "PayloadView.shown",
          "OutboxRelay.relayNow",
          "PostgresStoreFactory.of",
          "Schedules.of",
          "Steps.workflow",
          "Server.on",
          "StoreInfo.folder",
          "StoreInfo.of",
          "StoreOptions.owner",
          "TestEngine.allowFailures",
          "TestEngine.failNextCommit",
          "TestOptions.randomSeed",
          "Worker.on",
          "WorkerDriver.drive",
          "WorkerDriver.release",
          "WorkerSetup.listener",
          "WorkerSetup.retryLog",
          "WorkerSetup.use");

  /** Methods whose values are looked at where they are used, which says so. */
  private static final Set<String> LOOKED_AT_LATER =
      Set.of(
          "Next.dead",
          "Next.done",
          "Next.doneWith",
          "Next.retry",
          "Next.snooze",
          "Next.then",
          "Next.waitFor",
          "TableRange.before",
          "TableRange.between",
          "TableRange.from",
          "TableRange.prefix",
          "WriteBatch.delete",
          "WriteBatch.find",
          "WriteBatch.put",
          "WriteBatch.putNew",
          "WriteBatch.restart",
          "WriteBatch.sorted",
          "WriteBatch.want");

  /** Methods that do something in memory which cannot fail. */
  private static final Set<String> NEVER_FAILING =
      Set.of(
          "CallGate.awaitEmpty",
          "CallGate.exit",
          "CallGate.leaveToLast",
          "CallGate.open",
          "EngineClock.parkNs",
          "JobContext.done",
          "RowCursor.advance",
          "RowTree.cursor",
          "RowTree.find",
          "RowTree.get",
          "RowTree.isMark",
          "RowTree.with",
          "RowTree.withMarks",
          "StoreFolder.clear",
          "Worker.pause",
          "Worker.resume",
          "WorkerMBean.pause",
          "WorkerMBean.resume");

  /** A file with methods of each kind. */
  private static final String SAMPLE =
      """
      public interface Sample {
        /** Says nothing. */
        String find(String key);
        CompletableFuture<String> later();
        @CheckReturnValue Result look();
        void act();
        int read() throws IOException;

        /**
         * Says it.
         *
         * @throws IllegalArgumentException the key is empty
         */
        String told(String key);

        String name();
        String each(Function<String, String> function, boolean isAll);
        String of(Kind kind);
        @Override String over(String key);
        private String hidden(String key) {
          return key;
        }

        enum Kind { ONE }

        record Range(int least) {
          public Range {
            Checks.inRange("least", least, 0, 9);
          }
        }

        record Pair(int one, int two) {
          public Pair {
            Objects.requireNonNull(one);
          }
        }

        final class Values extends Options {
          public Values range(Range range) {
            return this;
          }
          public Values size(int size) {
            return this;
          }
          void hidden(int size) {}
        }

        class SampleException extends RuntimeException {
          public SampleException(String message) {
            throw new IllegalStateException(message);
          }
        }
      }

      class Hidden {
        public void act(String key) {}
      }
      """;

  @Test
  void publicMethods_thatCanThrow_sayWhat() throws IOException {
    List<String> silent = new ArrayList<>(ErrorsTold.silent(sources()));
    Set<String> exempt = new TreeSet<>(KEEPING);
    exempt.addAll(LOOKED_AT_LATER);
    exempt.addAll(NEVER_FAILING);
    Set<String> needless = new TreeSet<>(exempt);
    silent.forEach(method -> needless.remove(name(method)));
    silent.removeIf(method -> exempt.contains(name(method)));

    assertThat(silent)
        .withFailMessage(
            "public methods do not say what they throw; add @throws with when, and what is left"
                + " behind:%n  %s",
            String.join("\n  ", silent))
        .isEmpty();
    assertThat(needless).as("exemptions of methods that need none").isEmpty();
  }

  @Test
  void silent_ofMethodsThatMayRefuseOrDoSomething_areThoseWithoutThrows(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("Sample.java");
    Files.writeString(file, SAMPLE);

    assertThat(ErrorsTold.silent(List.of(file)))
        .containsExactly(
            "Range.new(int)",
            "Sample.act()",
            "Sample.find(String)",
            "Sample.later()",
            "Sample.look()",
            "Sample.read()",
            "Values.size(int)");
  }

  private static String name(String method) {
    return method.replaceFirst("\\(.*", "");
  }

  private static List<Path> sources() throws IOException {
    Map<String, Path> modules = PublishedModules.of(REPOSITORY);
    modules.remove(SUITES);
    List<Path> sources = new ArrayList<>();
    for (Path module : modules.values()) {
      for (String name : PublishedModules.packages(module)) {
        Path folder = module.resolve("src/main/java").resolve(name.replace('.', '/'));
        PublishedModules.files(folder).stream()
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(sources::add);
      }
    }
    return sources;
  }
}
