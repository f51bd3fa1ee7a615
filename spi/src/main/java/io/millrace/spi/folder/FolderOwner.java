package io.millrace.spi.folder;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A process that has a folder open, or had it last.
 *
 * @param pid its number, in its namespace
 * @param host the name of its machine, for messages
 * @param boot of its machine
 * @param pidNamespace where its number means this process
 * @param start when it began
 * @param chance drawn for each opening: two openings are never the same owner
 * @param isGone whether it has closed the folder
 */
record FolderOwner(
    long pid,
    String host,
    String boot,
    String pidNamespace,
    String start,
    String chance,
    boolean isGone) {

  /** What can be known of an owner from here. */
  enum Life {
    ALIVE,
    DEAD,
    /** It must be asked: it belongs to another machine or container, or is this very process. */
    UNKNOWN
  }

  /** This process, with a folder open. */
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
   * Whether it lives. Numbers of processes are used again: only one that began at the same moment
   * is the same process. If that is this one, the owner may be another copy of this class under
   * another class loader, or one that is gone whose file was put back.
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

  /** Null if the values are not those of an owner. */
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

  /** The lines of a text, as names and values. */
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
