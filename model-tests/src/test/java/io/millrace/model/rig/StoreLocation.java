package io.millrace.model.rig;

import java.nio.file.Path;

/** Locations of stores in a folder, by a kind such as {@code rocksdb} or {@code lmdb?log=none}. */
public final class StoreLocation {

  private StoreLocation() {}

  /** Puts the folder between the scheme and what follows it. */
  public static String of(String kind, Path folder) {
    int parameter = kind.indexOf('?');
    return parameter < 0
        ? kind + ":" + folder
        : kind.substring(0, parameter) + ":" + folder + kind.substring(parameter);
  }

  /** Names a folder after a kind. */
  public static String folderName(String kind) {
    return kind.replaceAll("\\W", "-");
  }
}
