package io.millrace.cli.demo;

import io.millrace.cli.text.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** Computes the SHA-256 sum of files, one after the other. For one thread. */
final class FileHasher {

  private static final int BUFFER_BYTES = 128 << 10;

  private final SourceFolder source;
  private final LongAdder bytesRead;
  private final MessageDigest sha256;
  private final byte[] buffer = new byte[BUFFER_BYTES];

  /**
   * A hasher for the files of a folder.
   *
   * @param bytesRead grows with what is read
   */
  FileHasher(SourceFolder source, LongAdder bytesRead) {
    this.source = source;
    this.bytesRead = bytesRead;
    try {
      this.sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** How hashing a file ended. */
  sealed interface Outcome {
    record Hashed(HashedFile file) implements Outcome {}

    /** It is a folder, which the scan could not list but which can be listed now. */
    record ReadableFolder() implements Outcome {}

    /** It cannot be hashed; {@code isLasting} says that trying again would be in vain. */
    record Failed(String reason, boolean isLasting) implements Outcome {}

    /** The work is to be given up. */
    record Stopped() implements Outcome {}
  }

  /**
   * Hashes a file.
   *
   * @param isToStop asked now and then
   */
  Outcome hash(FileName name, BooleanSupplier isToStop) {
    Path path = source.pathOf(name);
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isDirectory()) {
        Files.newDirectoryStream(path).close();
        return new Outcome.ReadableFolder();
      }
      // Opening a pipe would wait for a writer, perhaps for ever.
      if (!attributes.isRegularFile()) {
        return new Outcome.Failed("no longer a regular file", true);
      }
      return read(path, isToStop)
          .<Outcome>map(
              sizeBytes ->
                  new Outcome.Hashed(
                      new HashedFile(
                          HexFormat.of().formatHex(sha256.digest()),
                          sizeBytes,
                          attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                          name)))
          .orElseGet(Outcome.Stopped::new);
    } catch (NoSuchFileException e) {
      return new Outcome.Failed("vanished after it was found", true);
    } catch (AccessDeniedException | NotDirectoryException e) {
      return new Outcome.Failed(Reason.of(e), true);
    } catch (IOException e) {
      return new Outcome.Failed("cannot be read: " + Reason.of(e), false);
    }
  }

  /** Feeds the file to the digest and answers its size; empty if that is to stop. */
  private Optional<Long> read(Path path, BooleanSupplier isToStop) throws IOException {
    sha256.reset();
    long sizeBytes = 0;
    try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        if (isToStop.getAsBoolean()) {
          return Optional.empty();
        }
        sha256.update(buffer, 0, count);
        bytesRead.add(count);
        sizeBytes += count;
      }
    }
    return Optional.of(sizeBytes);
  }
}
