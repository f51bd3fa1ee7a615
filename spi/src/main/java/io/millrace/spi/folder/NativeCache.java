package io.millrace.spi.folder;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.jar.JarFile;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
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

  private static final int PART_BYTES = 64 << 10;

  /**
   * Length and checksum of a library. They tell one version from another, and a whole file from a
   * damaged one.
   */
  private record Content(long lengthBytes, long crc32) {}

  private NativeCache() {}

  /**
   * Returns the folder for native libraries, in the folder where the user keeps files that can be
   * made again: {@code $XDG_CACHE_HOME} if that is absolute, else {@code ~/.cache}.
   */
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
   * @param name the first part of the folder's name
   * @param fileName the file's name
   * @return the file, or null if there is no such resource
   * @throws IOException the library cannot be read, or not be written into the folder; or the user
   *     has no home
   */
  public static @Nullable Path unpack(
      ClassLoader loader, String resource, String name, String fileName) throws IOException {
    URL packed = loader.getResource(resource);
    if (packed == null) {
      return null;
    }
    Content content = contentOf(packed);
    String version = HexFormat.of().toHexDigits((int) content.crc32());
    Path folder = folder().resolve(name + "-" + content.lengthBytes() + "-" + version);
    Path library = folder.resolve(fileName);
    if (!folder.isAbsolute()) {
      // In the working directory it would be somewhere else at each start.
      throw new NoSuchFileException(folder.toString(), null, "the user has no home");
    }
    if (Files.isRegularFile(library) && content.equals(contentOf(library))) {
      return library;
    }
    Files.createDirectories(folder);
    FolderFiles.restrict(folder());
    // Unpacked beside and moved: another process may be loading it just now.
    Path temporary = Files.createTempFile(folder, name, ".tmp");
    try (InputStream in = packed.openStream()) {
      Files.copy(in, temporary, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.move(
        temporary, library, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return library;
  }

  /**
   * Returns the length and checksum that the jar's directory states, which is there without
   * unpacking megabytes at each start. Without such an entry, reads the resource.
   */
  private static Content contentOf(URL packed) throws IOException {
    URLConnection connection = packed.openConnection();
    if (connection instanceof JarURLConnection inJar) {
      inJar.setUseCaches(false);
      try (JarFile jar = inJar.getJarFile()) {
        ZipEntry entry = jar.getEntry(inJar.getEntryName());
        if (entry != null && entry.getSize() >= 0 && entry.getCrc() >= 0) {
          return new Content(entry.getSize(), entry.getCrc());
        }
      }
    }
    try (InputStream in = packed.openStream()) {
      return contentOf(in);
    }
  }

  private static Content contentOf(Path library) throws IOException {
    try (InputStream in = new FileInputStream(library.toFile())) {
      return contentOf(in);
    }
  }

  private static Content contentOf(InputStream in) throws IOException {
    CRC32 crc = new CRC32();
    byte[] part = new byte[PART_BYTES];
    long lengthBytes = 0;
    for (int read = in.read(part); read >= 0; read = in.read(part)) {
      crc.update(part, 0, read);
      lengthBytes += read;
    }
    return new Content(lengthBytes, crc.getValue());
  }
}
