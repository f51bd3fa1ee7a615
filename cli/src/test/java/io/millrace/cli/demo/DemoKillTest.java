package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("thorough")
final class DemoKillTest {

  private static final int FILE_COUNT = 2_000;
  private static final int KILL_COUNT = 6;

  private final DemoFixture demo;

  DemoKillTest(@TempDir Path temp) throws IOException {
    this.demo = DemoFixture.in(temp);
  }

  @Test
  void demo_killedAtRandomMoments_endsWithEveryFileOnce() throws Exception {
    demo.createFiles(FILE_COUNT);
    long seed = System.nanoTime();
    Random random = new Random(seed);

    for (int i = 0; i < KILL_COUNT; i++) {
      try (ChildDemo child = ChildDemo.start(demo)) {
        child.firstLine();
        if (i % 2 == 0) {
          child.awaitResults();
        }
        child.runFor(random.nextInt(i % 2 == 0 ? 200 : 1_000));
        child.kill();
      }
    }
    String end;
    try (ChildDemo child = ChildDemo.start(demo)) {
      end = child.finish();
    }

    assertThat(end).as("seed %d", seed).startsWith("0\n").contains("  dead letters  0");
    demo.assertManifestIsRight();
    CommandRun verified = CommandRun.of("verify", demo.store().toString());
    assertThat(verified.exitCode()).as("seed %d: %s", seed, verified).isEqualTo(ExitCode.OK);
  }

  @Test
  void demo_secondOneInTheSameFolder_namesThePidOfTheFirst() throws Exception {
    demo.createHugeFile();
    try (ChildDemo first = ChildDemo.start(demo)) {
      first.firstLine();

      CommandRun second = demo.run("--fresh");

      assertThat(second.err())
          .startsWith("millrace: locked: ")
          .contains("folder=" + demo.store(), "pid=" + first.pid(), "close it there");
      assertThat(second.exitCode()).isEqualTo(ExitCode.CANNOT);
    }
  }

  @Test
  void demo_thatFails_doesNotSayThatItWasStopped() throws Exception {
    demo.createFiles(10);
    Files.createDirectories(demo.manifest().resolve("in the way"));
    String end;
    try (ChildDemo child = ChildDemo.start(demo)) {
      end = child.finish();
    }

    assertThat(end)
        .startsWith(ExitCode.CANNOT + "\n")
        .contains("millrace: cannot go on in " + demo.dir)
        .doesNotContain("Stopped");
  }

  @Test
  void demo_askedToStop_handsItsJobsBackAndGoesOnLater() throws Exception {
    demo.createFiles(FILE_COUNT);
    Path huge = demo.createHugeFile();
    String stopped;
    try (ChildDemo child = ChildDemo.start(demo)) {
      child.awaitFound(FILE_COUNT + Names.ODD.size() + 2); // the large one and the huge one
      child.terminate();
      stopped = child.finish();
    }

    CommandRun leased = CommandRun.of("inspect", demo.store().toString(), "--state", "leased");
    Files.delete(huge);
    CommandRun rest = demo.run();

    assertThat(stopped)
        .startsWith("143\n")
        .contains("Stopped. The same command goes on from here.");
    assertThat(leased.out()).isEqualToIgnoringNewLines("no jobs");
    assertThat(rest.out()).contains("huge: vanished after it was found");
    assertThat(rest.exitCode()).isEqualTo(ExitCode.OK);
    demo.assertManifestIsRight();
  }
}
