package io.millrace.cli.demo;

import io.millrace.api.JobQueues;
import io.millrace.api.Table;
import io.millrace.cli.text.Reason;
import io.millrace.worker.JobContext;
import io.millrace.worker.Next;
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
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Hashes the file of a job, and puts its sum into the table in the commit that ends the job. */
final class FileHandler {

  /** The attempts after which an error that might pass is taken for one that stays. */
  private static final int ERROR_ATTEMPTS_MAX = 3;

  private static final int BUFFER_BYTES = 128 << 10;

  private final SourceFolder source;
  private final Table<String, String> sums;
  private final LongAdder bytesRead;

  /**
   * Creates a handler for any threads.
   *
   * @param bytesRead counts the bytes that are read
   */
  FileHandler(SourceFolder source, JobQueues queues, LongAdder bytesRead) {
    this.source = source;
    this.sums = HashedFile.table(queues);
    this.bytesRead = bytesRead;
  }

  Next handle(String name, JobContext job) {
    if (job.attempt() == 1 && job.headers().containsKey(Scan.FAILING)) {
      return Next.retry("simulated: every so many files fail their first attempt");
    }
    Path path = source.pathOf(name);
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isDirectory()) {
        Files.newDirectoryStream(path).close();
        return Next.done(); // it can be read by now: the next run finds what is in it
      }
      // Opening a pipe would wait for a writer, perhaps for ever.
      if (!attributes.isRegularFile()) {
        return Next.dead("no longer a regular file");
      }
      long modifiedNs = attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS);
      HashedFile file = hash(name, path, modifiedNs, job);
      return Next.doneWith(tx -> tx.put(sums, HashedFile.key(name), file.row()));
    } catch (NoSuchFileException e) {
      return Next.dead("vanished after it was found");
    } catch (AccessDeniedException | NotDirectoryException e) {
      return Next.dead(Reason.of(e));
    } catch (IOException e) {
      job.checkAlive(); // who is interrupted while it reads has failed because of that alone
      String reason = "cannot be read: " + Reason.of(e);
      return job.attempt() >= ERROR_ATTEMPTS_MAX ? Next.dead(reason) : Next.retry(reason);
    }
  }

  private HashedFile hash(String name, Path path, long modifiedNs, JobContext job)
      throws IOException {
    MessageDigest sha256 = HashedFile.newSha256();
    byte[] buffer = new byte[BUFFER_BYTES];
    long sizeBytes = 0;
    try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        job.checkAlive();
        sha256.update(buffer, 0, count);
        bytesRead.add(count);
        sizeBytes += count;
      }
    }
    return new HashedFile(name, sizeBytes, modifiedNs, HexFormat.of().formatHex(sha256.digest()));
  }
}
