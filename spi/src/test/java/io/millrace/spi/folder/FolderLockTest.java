package io.millrace.spi.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.StoreLockedException;
import io.millrace.spi.folder.FolderOwner.Life;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may open a folder whose lock is free, though somebody is named as its owner. */
@Tag("slow")
@Timeout(60)
class FolderLockTest {

  @TempDir private Path folder;

  /** Processes as the test says. */
  private static final class Table implements ProcessTable {
    private final Map<Long, String> starts = new HashMap<>();
    private String boot = "boot-1";
    private String pidNamespace = "pid:[1]";
    private boolean seesAll = true;
    private long pid = 7;

    Table() {
      starts.put(7L, "100");
    }

    @Override
    public long pid() {
      return pid;
    }

    @Override
    public String host() {
      return "box";
    }

    @Override
    public String boot() {
      return boot;
    }

    @Override
    public String pidNamespace() {
      return pidNamespace;
    }

    @Override
    public Optional<String> start(long number) {
      return Optional.ofNullable(starts.get(number));
    }

    @Override
    public boolean seesAll() {
      return seesAll;
    }
  }

  private final List<OwnerFile> opened = new ArrayList<>();
  private final Table owners = new Table();
  private final Table openers = openers();

  private static Table openers() {
    Table table = new Table();
    table.pid = 8;
    table.starts.put(8L, "200");
    return table;
  }

  /** The folder as an owner leaves it who has lost his lock, or has been killed. */
  private OwnerFile named() throws IOException {
    OwnerFile file = file();
    file.write(FolderOwner.self(owners, "chance-1"));
    return file;
  }

  private OwnerFile file() throws IOException {
    OwnerFile file = OwnerFile.open(folder);
    opened.add(file);
    return file;
  }

  @AfterEach
  void closeFiles() throws IOException {
    for (OwnerFile file : opened) {
      file.close();
    }
  }

  @Test
  void life_runningProcess_isAliveAndThisOneIsToBeAsked() {
    assertThat(FolderOwner.self(owners, "c").life(openers)).isEqualTo(Life.ALIVE);
    assertThat(FolderOwner.self(owners, "c").life(owners)).isEqualTo(Life.UNKNOWN);
  }

  @Test
  void life_gonePidOrOneUsedAgain_isDead() {
    FolderOwner owner = FolderOwner.self(owners, "c");

    openers.starts.put(7L, "150");
    assertThat(owner.life(openers)).isEqualTo(Life.DEAD);
    openers.starts.remove(7L);
    assertThat(owner.life(openers)).isEqualTo(Life.DEAD);
  }

  @Test
  void life_otherBootOrContainerOrHidden_isUnknown() {
    FolderOwner owner = FolderOwner.self(owners, "c");

    openers.boot = "boot-2";
    assertThat(owner.life(openers)).isEqualTo(Life.UNKNOWN);
    openers.boot = owners.boot;
    openers.pidNamespace = "pid:[2]";
    assertThat(owner.life(openers)).isEqualTo(Life.UNKNOWN);
    openers.pidNamespace = owners.pidNamespace;
    openers.starts.remove(7L);
    openers.seesAll = false;
    assertThat(owner.life(openers)).isEqualTo(Life.UNKNOWN);
  }

  @Test
  void start_ofAProcessOfThisMachine_isTheSameUntilItEnds() throws Exception {
    ProcessTable here = ProcessTable.SYSTEM;
    assertThat(here.start(here.pid())).isPresent().isEqualTo(here.start(here.pid()));

    Process child = new ProcessBuilder("sleep", "60").start();
    assertThat(ProcessTable.SYSTEM.start(child.pid())).isPresent();
    child.destroyForcibly().waitFor();
    assertThat(ProcessTable.SYSTEM.start(child.pid())).isEmpty();
  }

  @Test
  void take_lockIsFreeAndTheOwnerLives_isRefusedByItsName() throws IOException {
    named();

    assertThatThrownBy(() -> FolderLock.take(folder, openers))
        .isInstanceOf(StoreLockedException.class)
        .hasMessageContaining("folder=" + folder)
        .hasMessageContaining("pid=7, host=box");
    assertThat(file().read().orElseThrow().owner().chance()).isEqualTo("chance-1");
  }

  @Test
  void take_ownerIsDeadOrGoneOrOfAnotherFolder_opensAtOnce() throws IOException {
    openers.starts.remove(7L);
    named();
    FolderLock.take(folder, openers).close();
    assertThat(file().read().orElseThrow().owner().isGone()).isTrue();

    openers.starts.put(7L, "100");
    FolderLock.take(folder, openers).close(); // the one before said that it is gone

    named();
    Path copy = Files.createDirectory(folder.resolve("copy"));
    Files.copy(folder.resolve("OWNER"), copy.resolve("OWNER"));
    FolderLock.take(copy, openers).close();
  }

  @Test
  void take_ownerFileCannotBeRead_opens() throws IOException {
    for (byte[] content : new byte[][] {{}, new byte[1_024], "pid=x\nchance=".getBytes()}) {
      Files.write(folder.resolve("OWNER"), content);

      FolderLock.take(folder, openers).close();
    }
  }

  @Test
  void take_ownerCannotBeSeenAndAnswers_isRefused() throws Exception {
    openers.pidNamespace = "pid:[2]";
    OwnerFile file = named();
    CountDownLatch isRefused = new CountDownLatch(1);
    Thread owner =
        new Thread(
            () -> {
              while (isRefused.getCount() > 0) {
                try {
                  file.read().filter(OwnerFile.Content::isAsked).ifPresent(this::answer);
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
                Thread.onSpinWait();
              }
            });
    owner.start();

    assertThatThrownBy(() -> FolderLock.take(folder, openers))
        .isInstanceOf(StoreLockedException.class)
        .hasMessageContaining("pid=7, host=box");
    isRefused.countDown();
    owner.join();
  }

  private void answer(OwnerFile.Content asked) {
    try {
      file().answer(asked);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void take_ownerCannotBeSeenAndIsSilent_opensInTheEnd() throws IOException {
    openers.boot = "boot-2";
    named();

    long beganNs = System.nanoTime();
    FolderLock.take(folder, openers).close();

    assertThat(System.nanoTime() - beganNs).isGreaterThanOrEqualTo(FolderLock.ANSWER_WAIT_NS);
  }

  @Test
  void isOwned_asked_answers() throws IOException {
    try (FolderLock lock = FolderLock.take(folder, owners)) {
      OwnerFile file = file();
      file.ask(file.read().orElseThrow(), "are you there");

      assertThat(lock.isOwned()).isTrue();

      assertThat(file.read().orElseThrow().answer()).isEqualTo("are you there");
    }
  }

  @Test
  void isOwned_ownerFileRemovedOrReplacedByACopy_isNamedAgain() throws IOException {
    try (FolderLock lock = FolderLock.take(folder, owners)) {
      String chance = file().read().orElseThrow().owner().chance();
      Path file = folder.resolve("OWNER");

      Files.delete(file);
      assertThat(lock.isOwned()).isTrue();
      assertThat(file().read().orElseThrow().owner().chance()).isEqualTo(chance);

      Files.copy(file, folder.resolve("restored"));
      Files.move(folder.resolve("restored"), file, StandardCopyOption.REPLACE_EXISTING);
      assertThat(lock.isOwned()).isTrue();
      assertThat(file().read().orElseThrow().owner().chance()).isEqualTo(chance);
    }
  }

  @Test
  void isOwned_anotherIsNamed_isNotAndLeavesTheFileToHim() throws IOException {
    FolderLock lock = FolderLock.take(folder, owners);
    OwnerFile file = file();
    file.write(FolderOwner.self(openers, "chance-2"));

    assertThat(lock.isOwned()).isFalse();
    lock.close();

    assertThat(file.read().orElseThrow().owner().chance()).isEqualTo("chance-2");
    assertThat(file.read().orElseThrow().owner().isGone()).isFalse();
  }

  /** POSIX drops the locks of a process on a file of which it closes any descriptor. */
  @Test
  void isOwned_lockWasDropped_isTakenAgain() throws Exception {
    try (FolderLock lock = FolderLock.take(folder)) {
      Files.readAllBytes(folder.resolve("LOCK"));
      assertThat(isLockedForOthers()).isFalse();

      assertThat(lock.isOwned()).isTrue();

      assertThat(isLockedForOthers()).isTrue();
    }
    assertThat(isLockedForOthers()).isFalse();
  }

  /** Whether another process finds the file locked. */
  private boolean isLockedForOthers() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Locker.class.getName(),
                folder.resolve("LOCK").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String answer = other.inputReader().readLine();
    other.waitFor();
    return answer.equals("locked");
  }

  /** Another process, which says whether it finds a file locked. */
  static final class Locker {

    private Locker() {}

    public static void main(String[] arguments) throws IOException {
      try (FileChannel file =
          FileChannel.open(Path.of(arguments[0]), java.nio.file.StandardOpenOption.WRITE)) {
        System.out.println(file.tryLock(Long.MAX_VALUE - 1, 1, false) == null ? "locked" : "free");
      }
    }
  }
}
