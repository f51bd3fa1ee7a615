package io.millrace.management;

import java.util.List;
import java.util.Map;

/** What holds for a queue, or is said for the queues of a name. */
public interface SettingsSnapshot {

  /** Texts by key, as {@link JobEngineMXBean#configure} takes them. */
  Map<String, String> getValues();

  /** The keys of what is not said here, but for the queue's name or by default. */
  List<String> getInherited();
}
