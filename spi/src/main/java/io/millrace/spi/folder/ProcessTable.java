package io.millrace.spi.folder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** Facts that a process can find out about itself and about others on its machine. */
interface ProcessTable {

  /** The processes of this machine. */
  ProcessTable SYSTEM = new OfThisMachine();

  /** Returns the pid of this process. */
  long pid();

  /** Returns the name of the machine, for messages. */
  String host();

  /** Returns a text that changes whenever the machine starts; empty where there is none. */
  String boot();

  /**
   * Returns the namespace of this process's pid: each container has its own, and a pid means the
   * same process only within one. Empty where there is none.
   */
  String pidNamespace();

  /**
   * Returns when the process with this pid began, in a form that no change of the clock alters;
   * empty if no such process runs.
   */
  Optional<String> start(long pid);

  /**
   * Tells whether a process that is not found does not run: some systems hide the processes of
   * others.
   */
  boolean seesAll();

  /**
   * The processes of this machine, as {@code /proc} shows them where there is one, and else the
   * JVM.
   */
  final class OfThisMachine implements ProcessTable {

    private static final Path PROC = Path.of("/proc");

    /**
     * The index of the state among those fields of {@code /proc/PID/stat} that follow the name,
     * which ends with a parenthesis.
     */
    private static final int STATE_FIELD = 0;

    private static final int START_FIELD = 19;

    private OfThisMachine() {}

    @Override
    public long pid() {
      return ProcessHandle.current().pid();
    }

    @Override
    public String host() {
      return text(PROC.resolve("sys/kernel/hostname"));
    }

    @Override
    public String boot() {
      return text(PROC.resolve("sys/kernel/random/boot_id"));
    }

    @Override
    public String pidNamespace() {
      try {
        return Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString();
      } catch (IOException | RuntimeException e) {
        return "";
      }
    }

    @Override
    public Optional<String> start(long pid) {
      if (!hasProc()) {
        return ProcessHandle.of(pid)
            .filter(ProcessHandle::isAlive)
            .map(process -> process.info().startInstant().map(Instant::toString).orElse(""));
      }
      String stat = text(PROC.resolve(pid + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
      boolean runs = fields.length > START_FIELD && !"ZX".contains(fields[STATE_FIELD]);
      return runs ? Optional.of(fields[START_FIELD]) : Optional.empty();
    }

    @Override
    public boolean seesAll() {
      return !hasProc() || Files.exists(PROC.resolve("1"));
    }

    private static boolean hasProc() {
      return Files.exists(PROC.resolve("self/stat"));
    }

    private static String text(Path file) {
      try {
        return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
      } catch (IOException | RuntimeException e) {
        return "";
      }
    }
  }
}
