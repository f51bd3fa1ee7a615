package io.millrace.cli.demo;

import java.io.IOException;
import java.nio.file.Path;

/** Files with the {@link Names#ODD} names, for tests outside this package. */
public final class OddFiles {

  private OddFiles() {}

  public static void create(Path folder) throws IOException {
    SourceFolder source = SourceFolder.of(folder);
    for (byte[] name : Names.ODD) {
      Names.create(source, name);
    }
  }

  public static int count() {
    return Names.ODD.size();
  }
}
