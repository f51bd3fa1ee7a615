package io.millrace.memtable.log;

import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.WriteBatch;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a log behind those that the store has, read without changing anything.
 *
 * <p><b>Which batches count.</b> The files are taken by their sequence. A file that begins after
 * batch {@code n} says two things: all batches up to {@code n} were durable when it began, and what
 * files before it hold above {@code n} never happened. So a file must be whole up to where the next
 * begins, and what it has beyond, such as the rest of a torn end, is dropped.
 *
 * <p><b>Where the log ends.</b> The last file ends at its first record that is not whole. That is a
 * torn end, unless a record behind it, which is whole by itself, says that more was durable: then
 * the file is damaged. No record vouches for what was flushed last, only the caller does, with the
 * number of the batch that is known to have been durable.
 *
 * <p>Damage to batches that the store has does no harm.
 */
public final class LogReplay {

  /** A visitor of the batches of a log. */
  @FunctionalInterface
  public interface Visitor {

    /**
     * Takes the next batch of the log.
     *
     * @param epoch the epoch in which the batch was written
     */
    void accept(long epoch, WriteBatch batch);
  }

  static final String NAME = "log-";

  private static final Pattern NAMES = Pattern.compile(NAME + "\\d{1,9}");
  private static final int PIECE_BYTES = 64 << 10;

  /** A file with batches that the store does not have: the last one, and where it ends. */
  record Held(Path path, long last, long end) {}

  /** A file with a whole header, and the batch after which a later file begins. */
  private record Round(Path path, LogHeader header, long limit) {}

  private final Path folder;
  private final LostCommits lostCommits;
  private final List<Held> held = new ArrayList<>();
  private final List<Path> spoilt = new ArrayList<>();
  private long lastNumber;
  private long lastEpoch;
  private long sequence;
  private @Nullable String loss;

  private LogReplay(Path folder, long after, LostCommits lostCommits) {
    this.folder = folder;
    this.lastNumber = after;
    this.lostCommits = lostCommits;
  }

  /**
   * Reads a log, and hands over the batches behind {@code after}. A folder that does not exist is
   * an empty log.
   *
   * @param after number of the newest batch that the store has, durably
   * @param durable number of the newest batch that is known to have been durable
   * @param lostCommits {@code ACCEPT} takes what can be read for all that there is
   * @throws StoreCorruptException a batch that was durable cannot be read, and that is not
   *     accepted; some batches may have been handed over. Or somebody put a copy of a file there
   * @throws io.millrace.spi.FormatVersionException a file is of a newer format
   * @throws StoreException the files cannot be read
   */
  public static LogReplay read(
      Path folder, long after, long durable, LostCommits lostCommits, Visitor visitor) {
    LogReplay replay = new LogReplay(folder, after, lostCommits);
    try {
      boolean isWhole = true;
      for (Round round : replay.rounds()) {
        isWhole = isWhole && replay.read(round, visitor);
      }
    } catch (IOException e) {
      throw unusable(folder, e);
    }
    if (replay.lastNumber < durable) {
      replay.lose("folder=" + folder + ", durable=" + durable);
    }
    return replay;
  }

  /** Returns the number of the newest batch that there is, in the log or in the store. */
  public long lastNumber() {
    return lastNumber;
  }

  /** Returns the epoch of the newest batch that was handed over; 0 if none was. */
  public long lastEpoch() {
    return lastEpoch;
  }

  /** Returns the loss that the caller accepted, in a sentence; null if nothing was lost. */
  public @Nullable String loss() {
    return loss;
  }

  Path folder() {
    return folder;
  }

  /** Returns the files with batches that the store does not have, in their order. */
  List<Held> held() {
    return held;
  }

  /** Returns the files whose headers are damaged, which must not be found again. */
  List<Path> spoilt() {
    return spoilt;
  }

  /** Returns the highest sequence of a file; 0 if there is none. */
  long sequence() {
    return sequence;
  }

  static StoreException unusable(Path folder, IOException cause) {
    return new StoreException(
        "log cannot be used: folder=" + folder + ", reason=" + cause.getMessage(), cause);
  }

  static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> NAMES.matcher(file.getFileName().toString()).matches())
          .sorted()
          .toList();
    } catch (NoSuchFileException e) {
      // Nothing else that keeps it from being read is taken for an empty log.
      return List.of();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Returns the files that were ever begun, in their order. */
  private List<Round> rounds() throws IOException {
    List<Round> begun = new ArrayList<>();
    for (Path file : files(folder)) {
      LogHeader header = header(file);
      if (header != null) {
        begun.add(new Round(file, header, Long.MAX_VALUE));
      }
    }
    begun.sort(Comparator.comparingLong(round -> round.header().sequence()));
    for (int i = 1; i < begun.size(); i++) {
      requireLater(begun.get(i - 1), begun.get(i));
    }
    long limit = Long.MAX_VALUE;
    for (int i = begun.size() - 1; i >= 0; i--) {
      Round round = begun.get(i);
      begun.set(i, new Round(round.path(), round.header(), limit));
      limit = Math.min(limit, round.header().before());
      sequence = Math.max(sequence, round.header().sequence());
    }
    return begun;
  }

  private static void requireLater(Round before, Round after) {
    if (before.header().sequence() == after.header().sequence()) {
      throw new StoreCorruptException(
          "log has two files of one place in their order, find out which is a copy and take it"
              + " away: file="
              + before.path()
              + ", copy="
              + after.path()
              + ", sequence="
              + after.header().sequence());
    }
  }

  /** Returns the header of a file; null if it was never begun, or its header is lost. */
  private @Nullable LogHeader header(Path path) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      byte[] piece = new byte[PIECE_BYTES];
      int count = file.read(piece);
      LogHeader header = count < LogHeader.LENGTH_BYTES ? null : LogHeader.decode(piece, path);
      if (header != null) {
        return header;
      }
      // A header is durable before anything else is written: a new file has zeros, all over.
      for (; count > 0; count = file.read(piece)) {
        for (int i = 0; i < count; i++) {
          if (piece[i] != 0) {
            lose("file=" + path + ", offset=0, reason=its header is damaged");
            spoilt.add(path);
            return null;
          }
        }
      }
      return null;
    }
  }

  /** Reads a file; false if some of it is needed and cannot be read. */
  private boolean read(Round round, Visitor visitor) throws IOException {
    LogHeader header = round.header();
    if (round.limit() <= lastNumber) {
      return true;
    }
    if (header.before() > lastNumber || header.epoch() < lastEpoch) {
      lose(
          "file="
              + round.path()
              + ", offset=0, durable="
              + header.before()
              + ", epoch="
              + header.epoch()
              + ", epoch before="
              + lastEpoch);
      return false;
    }
    long before = lastNumber;
    long durable;
    long end;
    try (LogReader reader = new LogReader(round.path(), header)) {
      hand(reader, round.limit(), header.epoch(), visitor);
      end = reader.offset();
      boolean isNewest = round.limit() == Long.MAX_VALUE;
      durable = isNewest ? reader.durableLater() : round.limit();
      if (durable > lastNumber) {
        lose("file=" + round.path() + ", offset=" + end + ", durable=" + durable);
      }
    }
    if (lastNumber > before) {
      held.add(new Held(round.path(), lastNumber, end));
    }
    return durable <= lastNumber;
  }

  /** Hands over the batches that the store does not have, up to the limit or the first gap. */
  private void hand(LogReader reader, long limit, long epoch, Visitor visitor) throws IOException {
    while (reader.number() < limit) {
      WriteBatch batch = reader.next();
      if (batch == null && reader.number() < lastNumber && reader.skipTo(lastNumber)) {
        batch = reader.next();
      }
      if (batch == null) {
        return;
      }
      if (batch.number() > lastNumber) {
        visitor.accept(epoch, batch);
        lastNumber = batch.number();
        lastEpoch = epoch;
      }
    }
  }

  private void lose(String what) {
    String sentence =
        "log holds less than was once durable; restore a backup, or open it with"
            + " LostCommits.ACCEPT to go on without the lost commits: "
            + what
            + ", read up to="
            + lastNumber;
    if (lostCommits == LostCommits.REFUSE) {
      throw new StoreCorruptException(sentence);
    }
    if (loss == null) {
      loss = sentence;
    }
  }
}
