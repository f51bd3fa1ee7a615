package io.millrace.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The folder that is hashed and the folder of the demo, which may be inside it.
 *
 * @param source whose files are hashed
 * @param dir where the demo keeps its things
 * @param dirReal the same with symbolic links resolved; its files are not hashed
 */
record DemoFolders(SourceFolder source, DemoFolder dir, Path dirReal) {

  static DemoFolders of(SourceFolder source, DemoFolder dir) throws IOException {
    return new DemoFolders(source, dir, dir.path().toRealPath());
  }

  /** A walk over the source after a name, or over everything. */
  FolderWalk walkAfter(Optional<FileName> name) {
    return new FolderWalk(source, dirReal, name);
  }
}
