package io.millrace.jmh.load;

import io.millrace.api.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.agrona.collections.LongArrayQueue;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;

/**
 * The floor: the least that any durable queue on one disk does. One thread writes records to a
 * file, flushes them with one fdatasync for all that had gathered, and answers. No order but
 * arrival, no leases, no retries, no reads, nothing to find again after a crash.
 *
 * <p>Callers hand over and are woken as with the engine: a bounded ring, park and unpark, futures
 * on a thread of their own. An enqueue and a complete wait for their flush. A claim does not: it
 * takes what an earlier flush made safe from a queue in memory, and waits only if there is nothing.
 */
public final class PlainLog implements Target {

  /** The place in its file where a log writes. */
  public enum Place {
    /** The end of the file: the file grows, and each flush tells the disk so. */
    AT_THE_END,
    /**
     * The old content, from the start again and again: the file was made as long as it gets before.
     * The stricter floor, for there is less to flush.
     */
    OVER_THE_OLD
  }

  private static final int RING_SIZE = 1 << 16;
  private static final int BUFFER_BYTES = 8 << 20;
  private static final int GROUP_BYTES = 4 << 20;
  private static final long FILE_BYTES_MAX = 1L << 30;
  private static final long OLD_BYTES_LEAST = 32L << 20;
  private static final int RECORD_HEADER_BYTES = 8;
  private static final int COMPLETION_BYTES = 8;
  private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final FileChannel file;
  private final Durability durability;

  /** Length of the file that is written over, or 0 if it grows. */
  private final long oldBytes;

  private final ByteBuffer buffer;
  private final MpscAtomicArrayQueue<LogCall> ring = new MpscAtomicArrayQueue<>(RING_SIZE);
  private final LongArrayQueue ready = new LongArrayQueue(Long.MIN_VALUE);
  private final Queue<LogCall> parkedClaims = new ArrayDeque<>();
  private final List<LogCall> group = new ArrayList<>();
  private final List<LogCall> answered = new ArrayList<>();
  private final CRC32C crc = new CRC32C();
  private final ExecutorService answers =
      Executors.newSingleThreadExecutor(work -> new Thread(work, "bench-log-answer"));
  private final Thread writer = new Thread(this::run, "bench-log");
  private long writtenBytes;
  private long position;
  private volatile boolean isParked;
  private volatile boolean isClosing;

  /** Creates a log in a new file, which waits for calls. */
  public PlainLog(Path path, Place place, Durability durability, int payloadBytes) {
    this.durability = durability;
    this.buffer = ByteBuffer.allocateDirect(BUFFER_BYTES + payloadBytes);
    this.oldBytes =
        place == Place.OVER_THE_OLD ? Math.max(OLD_BYTES_LEAST, 2L * buffer.capacity()) : 0;
    try {
      file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      while (position < oldBytes) {
        position += file.write(buffer.clear(), position);
      }
      file.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException("plain log cannot be created: path=" + path, e);
    }
    buffer.clear();
    position = 0;
    writer.start();
  }

  @Override
  public void enqueue(List<byte[]> payloads) {
    submit(LogCall.enqueue(payloads)).await();
  }

  @Override
  public CompletableFuture<?> enqueueAsync(List<byte[]> payloads) {
    return submit(LogCall.enqueue(payloads).byFuture()).future();
  }

  @Override
  public Claimed claim(int max) {
    LogCall call = submit(LogCall.claim(max));
    call.await();
    return new Numbers(call.numbers());
  }

  @Override
  public CompletableFuture<Claimed> claimAsync(int max) {
    LogCall call = LogCall.claim(max).byFuture();
    return submit(call).future().thenApply(done -> new Numbers(call.numbers()));
  }

  private LogCall submit(LogCall call) {
    while (!ring.offer(call)) {
      LockSupport.parkNanos(1_000);
    }
    if (isParked) {
      LockSupport.unpark(writer);
    }
    return call;
  }

  /**
   * Shortens the file once it has become long, as any log drops records that nobody needs any more.
   * Between rounds; nothing may be under way.
   */
  void forget() {
    try {
      if (file.size() > FILE_BYTES_MAX) {
        file.truncate(0).force(true);
        position = 0;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("plain log cannot be shortened", e);
    }
  }

  private void run() {
    try {
      while (!isClosing) {
        cycle();
      }
    } catch (IOException | RuntimeException e) {
      parkedClaims.forEach(call -> call.fail(e));
      group.forEach(call -> call.fail(e));
      for (LogCall left = ring.poll(); !isClosing || left != null; left = ring.poll()) {
        if (left == null) {
          LockSupport.parkNanos(IDLE_NS);
        } else {
          left.fail(e);
        }
      }
    }
  }

  private void cycle() throws IOException {
    group.clear();
    writtenBytes = 0;
    LogCall next = null;
    while (writtenBytes + buffer.position() < GROUP_BYTES && (next = ring.poll()) != null) {
      take(next);
    }
    answer();
    write();
    if (writtenBytes > 0 && durability == Durability.SYNCED) {
      file.force(false);
    }
    group.forEach(this::done);
    serveParkedClaims();
    answer();
    if (next == null && writtenBytes == 0) {
      sleep();
    }
  }

  /**
   * Takes a call up: a claim is served from the jobs that are ready, any other call waits for the
   * flush.
   */
  private void take(LogCall call) throws IOException {
    if (call.kind() == LogCall.Kind.CLAIM) {
      if (ready.isEmpty()) {
        parkedClaims.add(call);
      } else {
        serve(call);
      }
      return;
    }
    group.add(call);
    for (byte[] payload : call.payloads()) {
      append(payload);
    }
    for (long number : call.numbers()) {
      append(number);
    }
  }

  private void append(byte[] bytes) throws IOException {
    makeRoom(bytes.length + RECORD_HEADER_BYTES);
    crc.reset();
    crc.update(bytes);
    buffer.putInt(bytes.length).putInt((int) crc.getValue()).put(bytes);
  }

  private void append(long number) throws IOException {
    makeRoom(COMPLETION_BYTES + RECORD_HEADER_BYTES);
    buffer.putInt(COMPLETION_BYTES).putInt(Long.hashCode(number)).putLong(number);
  }

  private void makeRoom(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      write();
    }
  }

  private void write() throws IOException {
    buffer.flip();
    writtenBytes += buffer.remaining();
    if (oldBytes > 0 && position + buffer.remaining() > oldBytes) {
      position = 0;
    }
    while (buffer.hasRemaining()) {
      position += file.write(buffer, position);
    }
    buffer.clear();
  }

  private void done(LogCall call) {
    for (byte[] payload : call.payloads()) {
      ready.addLong(Payloads.number(payload));
    }
    answered.add(call);
  }

  private void serveParkedClaims() {
    while (!ready.isEmpty() && !parkedClaims.isEmpty()) {
      serve(parkedClaims.remove());
    }
    long nowNs = System.nanoTime();
    while (!parkedClaims.isEmpty() && parkedClaims.element().hasWaited(nowNs)) {
      answered.add(parkedClaims.remove());
    }
  }

  private void serve(LogCall claim) {
    long[] numbers = new long[Math.min(claim.max(), ready.size())];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = ready.pollLong();
    }
    claim.grant(numbers);
    answered.add(claim);
  }

  /** Wakes the callers that wait in one sweep, and hands the futures over in one. */
  private void answer() {
    List<LogCall> listening = null;
    for (LogCall call : answered) {
      if (call.isByFuture()) {
        listening = listening == null ? new ArrayList<>() : listening;
        listening.add(call);
      } else {
        call.wake();
      }
    }
    answered.clear();
    List<LogCall> handedOver = listening;
    if (handedOver != null) {
      answers.execute(() -> handedOver.forEach(call -> call.future().complete(null)));
    }
  }

  private void sleep() {
    isParked = true;
    if (ring.isEmpty() && !isClosing) {
      LockSupport.parkNanos(IDLE_NS);
    }
    isParked = false;
  }

  @Override
  public void close() {
    isClosing = true;
    LockSupport.unpark(writer);
    try {
      writer.join();
      answers.shutdown();
      file.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException("plain log cannot be closed", e);
    }
  }

  /** Jobs handed out by the log. */
  private final class Numbers implements Claimed {

    private final long[] numbers;

    Numbers(long[] numbers) {
      this.numbers = numbers;
    }

    @Override
    public int size() {
      return numbers.length;
    }

    @Override
    public long dueNs(int index) {
      return 0;
    }

    @Override
    public void complete(LongConsumer completed) {
      submit(LogCall.complete(numbers)).await();
      tell(completed);
    }

    @Override
    public CompletableFuture<?> completeAsync(LongConsumer completed) {
      return submit(LogCall.complete(numbers).byFuture()).future().thenRun(() -> tell(completed));
    }

    private void tell(LongConsumer completed) {
      for (long number : numbers) {
        completed.accept(number);
      }
    }
  }
}
