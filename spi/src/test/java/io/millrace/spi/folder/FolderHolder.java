package io.millrace.spi.folder;

import io.millrace.spi.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;

/** A process that holds a store's folder until its input ends; it never closes it. */
final class FolderHolder {

  private FolderHolder() {}

  public static void main(String[] args) throws IOException {
    StoreFolder folder = StoreFolder.open(StoreOptions.of(Path.of(args[0])), "test", 1);
    System.out.println("holding " + folder.path());
    while (System.in.read() >= 0) {
      // Input is not looked at.
      continue;
    }
    Runtime.getRuntime().halt(0);
  }
}
