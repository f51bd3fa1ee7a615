package io.millrace.client;

import io.millrace.MillraceException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.protocol.Call;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.Session;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of a client in a session that goes on over cuts: whatever waits when the stream is free
 * goes as a message, up to some size, and what was not answered when it broke is sent again by the
 * next. Any thread.
 */
final class Connection implements Calls, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  /**
   * The most calls of a message, and the bytes after which no further one is added: the server
   * takes one apart while the next is put together.
   */
  private static final int MESSAGE_CALL_COUNT_MAX = 1_000;

  private static final int MESSAGE_BYTES = 1 << 16;

  /** The most calls that wait to be sent, and the most bytes of them. */
  private static final int WAITING_COUNT_MAX = 100_000;

  private static final long WAITING_BYTES_MAX = 256L << 20;

  /** The bytes of calls under way, beyond which none is sent: others are to have room as well. */
  private static final long SENT_BYTES_MAX = 64L << 20;

  /** The most answers, and the time, for which the server is not told that they came. */
  private static final int UNCONFIRMED_COUNT = 500;

  private static final long CONFIRM_MS = 10;

  private static final long LOOK_MS = 250;

  /** The longest wait for a new stream after a cut; after each one in vain it is doubled. */
  private static final long RECONNECT_MS = 50;

  private static final long RECONNECT_MS_MAX = 1_000;

  /** The rest of a call that came to a server which is closing. */
  private static final long REST_MS = 200;

  private static final long CLOSING_MS = 1_000;

  /**
   * The bytes of calls that are sent when the client closes, whether the server keeps up or not.
   */
  private static final long CLOSING_BYTES = 1 << 20;

  /** The time that a server has to welcome a client. */
  private static final long WELCOME_MS = 5_000;

  /** The failures that say that nothing happened, and that the next server may do it. */
  private static final Set<String> ELSEWHERE = Set.of("EngineClosed", "NotOwner");

  private final Channels channels;
  private final Session.Hello hello;
  private final Duration callTimeout;
  private final ClientThreads threads;
  private final AtomicBoolean isFlushDue = new AtomicBoolean();
  private final CompletableFuture<Void> connected = new CompletableFuture<>();
  private volatile IntSupplier held = () -> 0;

  private final Object lock = new Object();
  // Guarded by lock:
  private final Deque<AskedCall<?, ?>> waiting = new ArrayDeque<>();
  private final Map<Long, AskedCall<?, ?>> sent = new LinkedHashMap<>();
  private final Deque<AskedCall<?, ?>> toSendAgain = new ArrayDeque<>();
  private final Set<AskedCall<?, ?>> resting = new HashSet<>();
  private final List<Long> received = new ArrayList<>();
  private final List<Long> ended = new ArrayList<>();
  private long waitingBytes;
  private long sentBytes;
  private int unconfirmedCount;
  private long lastId;
  private int callCountMax;
  private @Nullable SessionStream stream;
  private boolean isWelcome;
  private boolean isConfirmDue;
  private boolean isToConfirm;
  private boolean isClosed;
  private int failureCount;
  private int toldHeldCount;
  private String lastFailure = "not connected yet";

  /**
   * Creates a connection, which begins to connect.
   *
   * @param hello who the client is
   * @param callTimeout how long callers wait for answers
   * @param threads ended with the connection
   */
  Connection(Channels channels, Session.Hello hello, Duration callTimeout, ClientThreads threads) {
    this.channels = channels;
    this.hello = hello;
    this.callTimeout = callTimeout;
    this.threads = threads;
    var unused =
        threads
            .connection()
            .scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    threads.connection().execute(this::connect);
  }

  /** Tells whether the connection was closed. */
  boolean isClosed() {
    synchronized (lock) {
      return isClosed;
    }
  }

  /** Sets who knows how many leases the client holds, which the server is told now and then. */
  void holding(IntSupplier count) {
    held = count;
  }

  /** Returns a future of the first welcome, which fails if a server refuses the client before. */
  CompletableFuture<Void> connected() {
    return connected;
  }

  /** Returns why there is no stream, for people. */
  String lastFailure() {
    synchronized (lock) {
      return lastFailure;
    }
  }

  @Override
  @SuppressWarnings("unchecked") // a call, and its class
  public <C extends Call<A>, A> CompletableFuture<A> send(C call) {
    Operation<C, A> operation = Protocol.of((Class<C>) call.getClass());
    AskedCall<C, A> asked = new AskedCall<>(operation, call, System.nanoTime(), callTimeout);
    synchronized (lock) {
      if (isClosed) {
        asked.refuse();
        return asked.answer();
      }
      if (waiting.size() >= WAITING_COUNT_MAX || waitingBytes > WAITING_BYTES_MAX) {
        asked.fail(
            new EngineOverloadedException(
                "too many calls wait to be sent; nothing happened, try again later: calls="
                    + waiting.size()
                    + ", bytes="
                    + waitingBytes));
        return asked.answer();
      }
      asked.number(++lastId);
      waiting.addLast(asked);
      waitingBytes += asked.bytes();
    }
    asked
        .answer()
        .whenComplete(
            (answer, thrown) -> {
              if (asked.answer().isCancelled()) {
                end(asked);
              }
            });
    flush();
    return asked.answer();
  }

  @Override
  public void run(Runnable work) {
    threads.run(work);
  }

  /** Tells the server that nobody waits for this call any more, if it was sent. */
  private void end(AskedCall<?, ?> asked) {
    synchronized (lock) {
      if (sent.containsKey(asked.id())) {
        ended.add(asked.id());
      }
    }
    flush();
  }

  /** Sends what waits, on the thread of the connection: until then the calls of others gather. */
  void flush() {
    if (isFlushDue.compareAndSet(false, true)) {
      try {
        threads.connection().execute(this::sendAll);
      } catch (RejectedExecutionException e) {
        LOG.debug("client is closed: nothing is sent any more", e);
      }
    }
  }

  private void sendAll() {
    isFlushDue.set(false);
    if (sendNext(0)) {
      flush(); // What was sent is on its way before the next is put together.
    }
  }

  /**
   * Sends a message, if there is something to send and a stream for it.
   *
   * @param hurriedBytes the bytes that may be under way before the server must have kept up
   * @return whether a message was sent
   */
  private boolean sendNext(long hurriedBytes) {
    SessionStream to;
    Session.Calls calls;
    synchronized (lock) {
      to = stream;
      if (to == null || !isWelcome || !(to.isReady() || sentBytes < hurriedBytes)) {
        return false;
      }
      List<Session.SentCall> next = next();
      boolean isToTell = isToConfirm || received.size() >= UNCONFIRMED_COUNT || !ended.isEmpty();
      if (next.isEmpty() && !isToTell) {
        return false;
      }
      calls =
          new Session.Calls(
              Optional.empty(), next, List.copyOf(ended), List.copyOf(received), false);
      unconfirmedCount -= received.size();
      ended.clear();
      received.clear();
      isToConfirm = false;
    }
    to.send(calls);
    return true;
  }

  private List<Session.SentCall> next() {
    List<Session.SentCall> next = new ArrayList<>();
    long bytes = 0;
    while (next.size() < MESSAGE_CALL_COUNT_MAX && bytes < MESSAGE_BYTES) {
      AskedCall<?, ?> asked = toSendAgain.pollFirst();
      if (asked == null) {
        asked = hasRoom() ? waiting.pollFirst() : null;
        if (asked == null) {
          break;
        }
        waitingBytes -= asked.bytes();
        if (asked.isDone()) {
          continue;
        }
        sent.put(asked.id(), asked);
        sentBytes += asked.bytes();
      } else if (!sent.containsKey(asked.id())) {
        continue; // The answer has come meanwhile.
      }
      next.add(asked.sent());
      bytes += asked.bytes();
    }
    return next;
  }

  /** Forgets a call that was sent, and returns it; null if it is not known. */
  private @Nullable AskedCall<?, ?> forget(long id) {
    AskedCall<?, ?> asked = sent.remove(id);
    sentBytes -= asked == null ? 0 : asked.bytes();
    return asked;
  }

  /** Tells whether the server has room for a call, after what this message says was received. */
  private boolean hasRoom() {
    return sent.size() + unconfirmedCount - received.size() < callCountMax
        && sentBytes < SENT_BYTES_MAX;
  }

  private void connect() {
    Channels.Way way = channels.next();
    SessionStream next = new SessionStream(this, way.address());
    Session.Calls first;
    synchronized (lock) {
      if (isClosed || stream != null) {
        return;
      }
      stream = next;
      first =
          new Session.Calls(Optional.of(hello), List.of(), List.of(), List.copyOf(received), false);
    }
    later(
        () -> {
          if (!isWelcome(next)) {
            next.cancel("the server has not answered within " + WELCOME_MS + " ms");
          }
        },
        WELCOME_MS);
    next.open(way.channel(), first);
  }

  private boolean isWelcome(SessionStream by) {
    synchronized (lock) {
      return stream != by || isWelcome;
    }
  }

  /** Goes on with a stream that the server takes. */
  void welcome(SessionStream from, Session.Welcome welcome) {
    List<AskedCall<?, ?>> lost = new ArrayList<>();
    synchronized (lock) {
      if (stream != from) {
        return;
      }
      isWelcome = true;
      failureCount = 0;
      toldHeldCount = welcome.isKnown() ? -1 : 0; // What was told last may be lost.
      callCountMax = welcome.callCountMax();
      ended.clear();
      toSendAgain.clear();
      for (AskedCall<?, ?> asked : List.copyOf(sent.values())) {
        if (asked.isDone()) {
          ended.add(asked.id());
        } else if (welcome.isKnown() || asked.isRepeatable()) {
          toSendAgain.addLast(asked);
        } else {
          forget(asked.id());
          lost.add(asked);
        }
      }
    }
    lost.forEach(asked -> asked.fail(asked.unanswered("the server does not know it any more")));
    connected.complete(null);
    flush();
  }

  /** Hands out answers. */
  void answers(SessionStream from, List<Session.Answer> answers) {
    List<AskedCall<?, ?>> of = new ArrayList<>(answers.size());
    synchronized (lock) {
      if (stream != from) {
        return; // The next stream has them again.
      }
      answers.forEach(answer -> of.add(forget(answer.id())));
      unconfirmedCount += answers.size();
    }
    List<Long> unwanted = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      Session.Answer answer = answers.get(i);
      AskedCall<?, ?> asked = of.get(i);
      if (asked != null && !letsWaitForTheNext(asked, answer) && !asked.complete(answer)) {
        unwanted.add(answer.id());
      }
    }
    boolean isFirst;
    synchronized (lock) {
      isFirst = !isConfirmDue;
      isConfirmDue = true;
      answers.forEach(answer -> received.add(answer.id()));
      ended.addAll(unwanted);
    }
    if (isFirst) {
      later(this::confirm, CONFIRM_MS);
    }
    flush();
  }

  private void confirm() {
    synchronized (lock) {
      isConfirmDue = false;
      isToConfirm = !received.isEmpty();
    }
    flush();
  }

  /** Lets a call wait for the next server, if this one is closing and the caller has time. */
  private boolean letsWaitForTheNext(AskedCall<?, ?> asked, Session.Answer answer) {
    if (answer.failure().filter(failure -> ELSEWHERE.contains(failure.error())).isEmpty()
        || asked.isDone()
        || asked.isLate(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REST_MS))) {
      return false;
    }
    synchronized (lock) {
      if (isClosed) {
        return false;
      }
      resting.add(asked);
    }
    later(() -> goOn(asked), REST_MS);
    return true;
  }

  /** Sends a call again that has rested, unless it was refused meanwhile. */
  private void goOn(AskedCall<?, ?> asked) {
    synchronized (lock) {
      if (!resting.remove(asked)) {
        return;
      }
      asked.number(++lastId);
      waiting.addLast(asked);
      waitingBytes += asked.bytes();
    }
    flush();
  }

  /** Connects again, after the stream has ended. */
  void ended(SessionStream from, String why, boolean isRefused) {
    long delayMs;
    synchronized (lock) {
      if (stream != from) {
        return;
      }
      stream = null;
      isWelcome = false;
      lastFailure = why;
      long mostMs = Math.min(RECONNECT_MS_MAX, RECONNECT_MS << Math.min(failureCount, 10));
      delayMs =
          ThreadLocalRandom.current().nextLong(failureCount == 0 ? 0 : mostMs / 2, mostMs + 1);
      failureCount++;
      if (isClosed) {
        return;
      }
    }
    LOG.debug("connection ended: {}", why);
    if (isRefused) {
      connected.completeExceptionally(new MillraceException(why));
    }
    later(this::connect, delayMs);
  }

  private void later(Runnable work, long delayMs) {
    try {
      var unused = threads.connection().schedule(work, delayMs, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("client is closed: nothing happens later", e);
    }
  }

  private void look() {
    endLate();
    tellHeld();
  }

  /** Tells the server how many leases the client holds, if that is news and the stream is free. */
  private void tellHeld() {
    int count = held.getAsInt();
    SessionStream to;
    synchronized (lock) {
      to = stream;
      if (to == null || !isWelcome || !to.isReady() || count == toldHeldCount) {
        return;
      }
      toldHeldCount = count;
    }
    to.send(Session.Calls.holding(count));
  }

  /** Ends the calls whose callers have waited long enough. */
  private void endLate() {
    List<AskedCall<?, ?>> late = new ArrayList<>();
    long nowNs = System.nanoTime();
    String why;
    synchronized (lock) {
      for (AskedCall<?, ?> asked : waiting) {
        if (asked.isLate(nowNs) && !asked.isDone()) {
          late.add(asked);
        }
      }
      for (AskedCall<?, ?> asked : sent.values()) {
        if (asked.isLate(nowNs) && !asked.isDone()) {
          late.add(asked);
          ended.add(asked.id());
        }
      }
      why = "callTimeout=" + callTimeout + (isWelcome ? "" : ", " + lastFailure);
    }
    late.forEach(asked -> asked.fail(asked.unanswered(why)));
    if (!late.isEmpty()) {
      flush();
    }
  }

  /**
   * Ends the session. Calls that are under way are given a second to be answered; those that wait
   * for something end.
   */
  @Override
  public void close() {
    sendNow(); // What was called before is under way, as far as the server has room for it.
    List<AskedCall<?, ?>> unsent;
    List<AskedCall<?, ?>> unanswered;
    synchronized (lock) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      unsent = new ArrayList<>(waiting);
      unsent.addAll(resting);
      waiting.clear();
      resting.clear();
      unanswered = new ArrayList<>(sent.values());
    }
    unsent.forEach(AskedCall::refuse);
    unanswered.stream().filter(AskedCall::isWaiting).forEach(AskedCall::refuse);
    awaitAnswers(unanswered);
    SessionStream last;
    synchronized (lock) {
      last = stream;
      stream = null;
    }
    unanswered.forEach(asked -> asked.fail(asked.unanswered("client is closed")));
    if (last != null) {
      last.goodbye();
    }
    channels.close();
    threads.close();
  }

  private void sendNow() {
    try {
      await(
          CompletableFuture.runAsync(
              () -> {
                while (sendNext(CLOSING_BYTES)) {}
              },
              threads.connection()));
    } catch (RejectedExecutionException e) {
      LOG.debug("client is closed already", e);
    }
  }

  private static void awaitAnswers(List<AskedCall<?, ?>> asked) {
    await(
        CompletableFuture.allOf(
            asked.stream().map(AskedCall::answer).toArray(CompletableFuture<?>[]::new)));
  }

  private static void await(CompletableFuture<?> done) {
    try {
      var unused = done.get(CLOSING_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("some calls have no answer when the client is closed", e);
    }
  }
}
