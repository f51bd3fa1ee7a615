package io.millrace.spi.folder;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A process that has a folder open, or had it last.
 *
 * @param pid the number of the process in its pid namespace
 * @param host the name of its machine, for messages
 * @param boot the boot of its machine; see {@link ProcessTable#boot}
 * @param pidNamespace the namespace in which {@code pid} means this process
 * @param start when the process began; see {@link ProcessTable#start}
 * @param chance random text drawn for each opening: two openings are never the same owner
 * @param isGone whether the process has closed the folder
 */
record FolderOwner(
    long pid,
    String host,
    String boot,
    String pidNamespace,
    String start,
    String chance,
    boolean isGone) {

  /** State of an owner's process, as far as it can be seen from here. */
  enum Life {
    ALIVE,
    DEAD,
    /**
     * Undecided, so that the owner must be asked: its process is on another machine, in another
     * container or hidden, or has the pid of this very process.
     */
    UNKNOWN
  }

  /** Returns this process as the owner of an open folder. */
  static FolderOwner self(ProcessTable processes, String chance) {
    long pid = processes.pid();
    return new FolderOwner(
        pid,
        processes.host(),
        processes.boot(),
        processes.pidNamespace(),
        processes.start(pid).orElse(""),
        chance,
        false);
  }

  FolderOwner gone() {
    return new FolderOwner(pid, host, boot, pidNamespace, start, chance, true);
  }

  /**
   * Finds out whether the owner's process lives. Pids are used again: only a process that began at
   * the same moment is the same process. If that is this very process, the answer is {@link
   * Life#UNKNOWN}: the owner may be another copy of this class under another class loader, or one
   * that is gone whose file was put back.
   */
  Life life(ProcessTable processes) {
    if (!boot.equals(processes.boot()) || !pidNamespace.equals(processes.pidNamespace())) {
      return Life.UNKNOWN;
    }
    Optional<String> found = processes.start(pid);
    if (found.isPresent()) {
      boolean isSame = found.get().equals(start);
      return !isSame ? Life.DEAD : pid == processes.pid() ? Life.UNKNOWN : Life.ALIVE;
    }
    return processes.seesAll() ? Life.DEAD : Life.UNKNOWN;
  }

  String text() {
    return "pid="
        + pid
        + "\nhost="
        + host
        + "\nboot="
        + boot
        + "\npidNamespace="
        + pidNamespace
        + "\nstart="
        + start
        + "\nchance="
        + chance
        + "\nisGone="
        + isGone
        + "\n";
  }

  /** Returns the owner that the values describe; null if they are not those of an owner. */
  static @Nullable FolderOwner of(Map<String, String> values) {
    String pid = values.getOrDefault("pid", "");
    if (!pid.matches("[0-9]{1,18}") || values.getOrDefault("chance", "").isEmpty()) {
      return null;
    }
    return new FolderOwner(
        Long.parseLong(pid),
        values.getOrDefault("host", ""),
        values.getOrDefault("boot", ""),
        values.getOrDefault("pidNamespace", ""),
        values.getOrDefault("start", ""),
        values.getOrDefault("chance", ""),
        Boolean.parseBoolean(values.get("isGone")));
  }

  /** Returns the lines of a text as names and values. */
  static Map<String, String> values(String text) {
    Map<String, String> values = new HashMap<>();
    for (String line : text.split("\n")) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        values.put(line.substring(0, equals), line.substring(equals + 1).strip());
      }
    }
    return values;
  }
}
