package io.millrace.store.rocksdb;

import io.millrace.spi.StoreException;
import io.millrace.spi.folder.NativeCache;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RocksDB's native library, unpacked into the {@link NativeCache} unless the user said where to
 * unpack it.
 */
final class NativeLibraries {

  /** The environment variable that names the folder that RocksDB itself unpacks into. */
  static final String LIBRARY_FOLDER = "ROCKSDB_SHAREDLIB_DIR";

  private static final Logger LOG = LoggerFactory.getLogger(NativeLibraries.class);
  private static final String NAME = "rocksdb";

  /**
   * The name that RocksDB derives the library's file name from in a folder; in its jar it is {@link
   * #NAME}.
   */
  private static final String NAME_IN_FOLDER = "rocksdbjni";

  private static boolean isLoaded;

  private NativeLibraries() {}

  /**
   * Loads the library; does nothing when it is loaded.
   *
   * @throws StoreException it cannot be loaded here
   */
  static synchronized void load() {
    if (isLoaded) {
      return;
    }
    try {
      Path library = System.getenv(LIBRARY_FOLDER) == null ? unpack() : null;
      if (library == null) {
        RocksDB.loadLibrary();
      } else {
        load(library);
      }
      isLoaded = true;
    } catch (IOException | RuntimeException | LinkageError e) {
      throw new StoreException(
          "RocksDB's native library cannot be loaded on this platform ("
              + System.getProperty("os.name")
              + " "
              + System.getProperty("os.arch")
              + "): use 64-bit Linux, macOS or Windows on x86_64 or aarch64, let the folder "
              + NativeCache.folder()
              + " be writable and executable, or name a folder to unpack it into with the"
              + " environment variable "
              + LIBRARY_FOLDER
              + "; reason="
              + rootOf(e),
          e);
    }
  }

  /**
   * Loads the library from a file. If an application server has loaded that file for another
   * application already, a copy is loaded, for a JVM loads no file for two class loaders.
   */
  private static void load(Path library) throws IOException {
    try {
      RocksDB.loadLibrary(List.of(library.resolveSibling("").toString()));
    } catch (UnsatisfiedLinkError e) {
      if (!String.valueOf(e.getMessage()).contains("already loaded in another classloader")) {
        throw e;
      }
      loadCopy(library);
    }
  }

  private static void loadCopy(Path library) throws IOException {
    Path folder = Files.createTempDirectory(NativeCache.folder(), NAME);
    Path copy = folder.resolve(library.getFileName());
    try {
      Files.copy(library, copy);
      RocksDB.loadLibrary(List.of(folder.toString()));
    } finally {
      // What is loaded needs no name any more; where it does, it goes when the JVM ends.
      File folderFile = folder.toFile();
      File file = copy.toFile();
      if (!file.delete() || !folderFile.delete()) {
        folderFile.deleteOnExit();
        file.deleteOnExit();
      }
    }
  }

  /**
   * Unpacks the library into the {@link NativeCache} and returns its file; null if there is none
   * for this platform, or it cannot be unpacked to where it would stay.
   */
  private static @Nullable Path unpack() {
    String resource = Environment.getJniLibraryFileName(NAME);
    String fileName = Environment.getJniLibraryFileName(NAME_IN_FOLDER);
    try {
      return NativeCache.unpack(RocksDB.class.getClassLoader(), resource, NAME, fileName);
    } catch (IOException e) {
      LOG.warn(
          "native library is unpacked at each start, for the folder that keeps it cannot be"
              + " written; let XDG_CACHE_HOME name one that can: folder={}, reason={}",
          NativeCache.folder(),
          e.toString());
      LOG.debug("native library cannot be kept", e);
      return null;
    }
  }

  private static Throwable rootOf(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root;
  }
}
