package io.millrace.protocol;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of connections, each of which reads, writes and runs short work for several. Whatever
 * comes from a connection is handled on its thread, and what goes there is written by work on it:
 * no other thread is woken for either. Any thread.
 */
public final class EventLoops implements AutoCloseable {

  /**
   * The most bytes that are under way to a side which has not read them yet. It is fixed: gRPC
   * would find it out by pings, each of which costs as much as a call.
   */
  public static final int WINDOW_BYTES = 1 << 20;

  private final EventLoopGroup group;

  /** Loops that take no more than so many connections at a time: gRPC has no such limit. */
  private static final class Limited extends MultiThreadIoEventLoopGroup {
    private final int connectionCountMax;
    private final Runnable whenRefused;
    private final AtomicInteger connectionCount = new AtomicInteger();

    Limited(int count, String name, int connectionCountMax, Runnable whenRefused) {
      super(
          count,
          new DefaultThreadFactory(name, true),
          Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
      this.connectionCountMax = connectionCountMax;
      this.whenRefused = whenRefused;
    }

    @Override
    public ChannelFuture register(Channel channel) {
      ChannelFuture registered = super.register(channel);
      if (channel instanceof ServerChannel) {
        return registered;
      }
      int before = connectionCount.getAndIncrement();
      channel.closeFuture().addListener(closed -> connectionCount.decrementAndGet());
      if (before >= connectionCountMax) {
        // Without a goodbye, for which gRPC would wait.
        registered.addListener(done -> channel.unsafe().close(channel.voidPromise()));
        if (before == connectionCountMax) { // And not for each of a flood.
          whenRefused.run();
        }
      }
      return registered;
    }
  }

  /**
   * Creates the threads, as daemons. Each starts when it has work.
   *
   * @param name what the names of the threads begin with
   */
  public EventLoops(int count, String name) {
    this(count, name, Integer.MAX_VALUE, () -> {});
  }

  /**
   * Creates the threads of a server, as daemons. Each starts when it has work.
   *
   * @param name what the names of the threads begin with
   * @param connectionCountMax the most connections at a time; those beyond are closed at once
   * @param whenRefused is told when they begin to be too many
   */
  public EventLoops(int count, String name, int connectionCountMax, Runnable whenRefused) {
    this.group = new Limited(count, name, connectionCountMax, whenRefused);
  }

  /** Returns them as gRPC takes them. */
  public EventLoopGroup group() {
    return group;
  }

  /** Returns the kind of connections that they serve. */
  public static Class<? extends Channel> channels() {
    return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  /** Returns the kind of sockets, to which clients connect, that they serve. */
  public static Class<? extends ServerChannel> serverChannels() {
    return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  /**
   * Returns the thread that calls, as an executor.
   *
   * @throws IllegalStateException the thread is none of these
   */
  public EventExecutor current() {
    for (EventExecutor loop : group) {
      if (loop.inEventLoop()) {
        return loop;
      }
    }
    throw new IllegalStateException(
        "thread serves no connections: thread=" + Thread.currentThread().getName());
  }

  /** Ends the threads, after the work that they have. */
  @Override
  public void close() {
    var unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
