package io.millrace.memtable.log;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A folder that has what a log had, but for what is changed in it. */
record LogCopy(Path folder) {

  /** Makes the folder hold just these files. */
  LogRig of(Map<String, byte[]> contents) throws IOException {
    Files.createDirectories(folder);
    for (String name : new LogRig(folder).contents().keySet()) {
      if (!contents.containsKey(name)) {
        Files.delete(folder.resolve(name));
      }
    }
    for (Map.Entry<String, byte[]> file : contents.entrySet()) {
      // A file that is cut before it is written again is flushed by some file systems.
      try (RandomAccessFile open =
          new RandomAccessFile(folder.resolve(file.getKey()).toFile(), "rw")) {
        open.write(file.getValue());
        open.setLength(file.getValue().length);
      }
    }
    return new LogRig(folder, 99);
  }
}
