package io.millrace.spi.folder;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The folder where native libraries are unpacked, once for each user and content.
 *
 * <p>Left to themselves most libraries unpack into the temporary folder at each start, where a
 * killed process leaves its copy for ever and where many systems forbid to execute.
 *
 * <p>Thread-safe, between processes too.
 */
public final class NativeCache {

  private NativeCache() {}

  /** Where the user keeps what can be made again. */
  public static Path folder() {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path home = Path.of(System.getProperty("user.home"));
    Path base =
        cache != null && Path.of(cache).isAbsolute() ? Path.of(cache) : home.resolve(".cache");
    return base.resolve("millrace").resolve("native");
  }

  /**
   * Unpacks a library, if it is not there yet, into a folder named after its content.
   *
   * @param resource where the loader finds the library
   * @param name what the folder is named after
   * @param fileName the file's name
   * @return the file, or null if there is no such resource
   */
  public static @Nullable Path unpack(
      ClassLoader loader, String resource, String name, String fileName) throws IOException {
    byte[] content;
    try (InputStream in = loader.getResourceAsStream(resource)) {
      if (in == null) {
        return null;
      }
      content = in.readAllBytes();
    }
    CRC32C crc = new CRC32C();
    crc.update(content);
    String version = HexFormat.of().toHexDigits((int) crc.getValue());
    Path folder = folder().resolve(name + "-" + content.length + "-" + version);
    Path library = folder.resolve(fileName);
    if (isSame(library, content)) {
      return library;
    }
    Files.createDirectories(folder);
    FolderFiles.restrict(folder());
    // Unpacked beside and moved: another process may be loading it just now.
    Path temporary = Files.createTempFile(folder, name, ".tmp");
    try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
      out.write(content);
    }
    Files.move(
        temporary, library, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return library;
  }

  private static boolean isSame(Path library, byte[] content) throws IOException {
    if (!Files.isRegularFile(library) || Files.size(library) != content.length) {
      return false;
    }
    try (FileInputStream in = new FileInputStream(library.toFile())) {
      return Arrays.equals(in.readAllBytes(), content);
    }
  }
}
