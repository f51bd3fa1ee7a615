package io.millrace.store.lmdb;

import io.millrace.spi.StoreException;
import io.millrace.spi.folder.NativeCache;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Meta;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two native libraries, LMDB's and that of the foreign function layer, unpacked once for each
 * user.
 *
 * <p>They are unpacked into the {@link NativeCache}, and both bindings are told where they are,
 * unless the user already told them something.
 */
final class NativeLibraries {

  private static final Logger LOG = LoggerFactory.getLogger(NativeLibraries.class);
  private static final String LMDB_LIBRARY = "lmdbjava.native.lib";
  private static final List<String> LMDB_SETTINGS =
      List.of(LMDB_LIBRARY, "lmdbjava.embedded.lib", "lmdbjava.extract.dir");
  private static final String JFFI_FOLDER = "jffi.boot.library.path";
  private static final String JFFI_EXTRACT_FOLDER = "jffi.extract.dir";
  private static final List<String> JFFI_SETTINGS =
      List.of(JFFI_FOLDER, JFFI_EXTRACT_FOLDER, "jffi.extract.name");
  private static final String JFFI_UNSAFE_DISABLED = "jffi.unsafe.disabled";

  /** The first JDK that warns of memory access through Unsafe; jffi's own access is as fast. */
  private static final int UNSAFE_DEPRECATED_SINCE = 24;

  private static final String JFFI_NAME = "jffi-1.2";

  private NativeLibraries() {}

  /**
   * Loads both libraries, unless they are loaded.
   *
   * @throws StoreException one of them cannot be loaded here
   */
  static synchronized void load() {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    // Both look for their files through the caller's class loader, which in a container may not see
    // them.
    thread.setContextClassLoader(NativeLibraries.class.getClassLoader());
    try {
      if (Runtime.version().feature() >= UNSAFE_DEPRECATED_SINCE
          && System.getProperty(JFFI_UNSAFE_DISABLED) == null) {
        System.setProperty(JFFI_UNSAFE_DISABLED, "true");
      }
      try {
        unpack();
      } catch (IOException e) {
        LOG.warn(
            "native libraries are unpacked at each start, for the folder that keeps them cannot be"
                + " written; let XDG_CACHE_HOME name one that can: folder={}, reason={}",
            NativeCache.folder(),
            e.toString());
        LOG.debug("native libraries cannot be kept", e);
      }
      Meta.version();
    } catch (RuntimeException | LinkageError e) {
      throw new StoreException(
          "LMDB's native library cannot be loaded on this platform ("
              + System.getProperty("os.name")
              + " "
              + System.getProperty("os.arch")
              + "): use 64-bit Linux with glibc, macOS or Windows on x86_64 or aarch64, let the"
              + " folder "
              + NativeCache.folder()
              + " be writable and executable, or name a library with -D"
              + LMDB_LIBRARY
              + "; reason="
              + rootOf(e),
          e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static void unpack() throws IOException {
    if (LMDB_SETTINGS.stream().allMatch(name -> System.getProperty(name) == null)) {
      Path library = unpack(lmdbResource(), "lmdb");
      if (library != null) {
        System.setProperty(LMDB_LIBRARY, library.toString());
      }
    }
    if (JFFI_SETTINGS.stream().allMatch(name -> System.getProperty(name) == null)) {
      Path library = unpack(jffiResource(), JFFI_NAME);
      if (library != null) {
        String folder = library.resolveSibling("").toString();
        System.setProperty(JFFI_FOLDER, folder);
        System.setProperty(JFFI_EXTRACT_FOLDER, folder);
      }
    }
  }

  private static @Nullable Path unpack(String resource, String name) throws IOException {
    ClassLoader loader = NativeLibraries.class.getClassLoader();
    return NativeCache.unpack(loader, resource, name, System.mapLibraryName(name));
  }

  /**
   * Returns the name that lmdbjava gives the library's resource. Its own {@code TargetName} reads
   * the settings once, and must not be touched before they are set.
   */
  private static String lmdbResource() {
    String suffix =
        switch (os()) {
          case "Mac" -> "macos-none.so";
          case "Windows" -> "windows-gnu.dll";
          default -> "linux-gnu.so";
        };
    return "org/lmdbjava/native/" + cpu() + "-" + suffix;
  }

  private static String jffiResource() {
    return os().equals("Mac")
        ? "jni/Darwin/libjffi-1.2.jnilib"
        : "jni/" + cpu() + "-" + os() + "/" + System.mapLibraryName(JFFI_NAME);
  }

  private static String os() {
    return System.getProperty("os.name").split(" ")[0];
  }

  private static String cpu() {
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return arch.equals("amd64") ? "x86_64" : arch;
  }

  private static Throwable rootOf(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root;
  }
}
