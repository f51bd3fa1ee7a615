package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.examples.DurableWorkflow.Bank;
import io.millrace.examples.DurableWorkflow.Carrier;
import io.millrace.workflow.StepFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * A bank and a carrier outside the store, who know tokens again and write down what has happened:
 * each effect is a line, made once, which the death of the process does not take back. Now and then
 * they do not answer, before or after the effect. Any thread.
 */
public final class Ledger implements Bank, Carrier {

  private static final int SILENCE = 12;

  private final Path file;
  private final Random random;
  private final Set<String> lines;
  private int repeatCount;

  /** Goes on with a file, or begins one. */
  public Ledger(Path file, Random random) {
    this.file = file;
    this.random = random;
    this.lines = new HashSet<>(read(file));
  }

  @Override
  public synchronized String charge(String token, String item) throws IOException {
    answer();
    if (item.startsWith("declined")) {
      throw new StepFailedException("declined");
    }
    if (lines.contains("void " + token)) {
      throw new StepFailedException("was given back");
    }
    note("charge " + token);
    answer();
    return "receipt of " + item;
  }

  @Override
  public synchronized String refund(String token) throws IOException {
    answer();
    note("void " + token);
    if (lines.contains("charge " + token)) {
      note("refund " + token);
    }
    answer();
    return "receipt of the refund";
  }

  @Override
  public synchronized String ship(String token, String item) throws IOException {
    answer();
    if (item.startsWith("nowhere")) {
      throw new StepFailedException("no such address");
    }
    note("ship " + token);
    answer();
    return "parcel of " + item;
  }

  /** What has happened. */
  synchronized Set<String> lines() {
    return Set.copyOf(lines);
  }

  /** How often something was asked for that had happened before. */
  synchronized int repeatCount() {
    return repeatCount;
  }

  private void answer() throws IOException {
    if (random.nextInt(SILENCE) == 0) {
      throw new IOException("no answer");
    }
  }

  private void note(String line) {
    if (!lines.add(line)) {
      repeatCount++;
      return;
    }
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      out.write(ByteBuffer.wrap((line + "\n").getBytes(UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> read(Path file) {
    try {
      return Files.exists(file) ? new HashSet<>(Files.readAllLines(file)) : Set.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
