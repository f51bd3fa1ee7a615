package io.millrace.jmh.servers;

import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.Payloads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.params.XReadGroupParams;
import redis.clients.jedis.resps.StreamEntryBinary;

/** Redis with a stream, of which its file of commands is synced before calls are answered. */
final class RedisServer implements ServerPeer {

  private static final String STREAM = "load";
  private static final String GROUP = "workers";
  private static final byte[] STREAM_BYTES = bytes(STREAM);
  private static final byte[] GROUP_BYTES = bytes(GROUP);
  private static final byte[] FIELD = bytes("payload");
  private static final byte[] CONSUMER = bytes("bench");

  private final String program;

  RedisServer(String program) {
    this.program = program;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public String setting() {
    return "--appendonly yes --appendfsync always --save ''; a stream: XADD, XREADGROUP, XACK with"
        + " XDEL; one connection for each caller, batches as pipelines";
  }

  @Override
  public Optional<String> missing() {
    return ServerProcess.program(program).isPresent()
        ? Optional.empty()
        : Optional.of(program + " (Debian: apt-get install redis-server)");
  }

  @Override
  public Running start(Path folder, LoadOptions options) {
    int port = ServerProcess.freePort();
    return ServerProcess.start(
            folder,
            port,
            List.of(
                program,
                "--bind",
                "127.0.0.1",
                "--port",
                String.valueOf(port),
                "--dir",
                folder.toString(),
                "--save",
                "",
                "--appendonly",
                "yes",
                "--appendfsync",
                "always"))
        .called(() -> new Calls(port));
  }

  private static final class Calls extends BlockingTarget {

    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Connections<Jedis> connections;
    private final Map<byte[], StreamEntryID> unread =
        Map.of(STREAM_BYTES, StreamEntryID.XREADGROUP_UNDELIVERED_ENTRY);

    Calls(int port) {
      connections = new Connections<>(() -> new Jedis("127.0.0.1", port));
      Jedis first = connections.take();
      while (isLoading(first)) {
        LockSupport.parkNanos(LOOK_NS);
      }
      if (!first.exists(STREAM)) {
        first.xgroupCreate(STREAM, GROUP, new StreamEntryID(0, 0), true);
      }
      connections.giveBack(first);
    }

    /** Tells whether the server, which listens already, still reads what it had written. */
    private static boolean isLoading(Jedis connection) {
      return connection.info("persistence").contains("loading:1");
    }

    @Override
    public void enqueue(List<byte[]> payloads) {
      Jedis connection = connections.take();
      try (Pipeline pipeline = connection.pipelined()) {
        for (byte[] payload : payloads) {
          pipeline.xadd(STREAM_BYTES, XAddParams.xAddParams(), Map.of(FIELD, payload));
        }
        pipeline.syncAndReturnAll().forEach(Calls::requireDone);
      }
      connections.giveBack(connection);
    }

    @Override
    public Claimed claim(int max) {
      Jedis connection = connections.take();
      XReadGroupParams some =
          XReadGroupParams.xReadGroupParams().count(max).block((int) CLAIM_WAIT.toMillis());
      List<Map.Entry<byte[], List<StreamEntryBinary>>> streams =
          connection.xreadGroupBinary(GROUP_BYTES, CONSUMER, some, unread);
      connections.giveBack(connection);
      if (streams == null) {
        return Handed.NONE;
      }
      List<StreamEntryBinary> entries = streams.get(0).getValue();
      return new Handed(
          entries.stream()
              .mapToLong(entry -> Payloads.number(entry.getFields().values().iterator().next()))
              .toArray(),
          () ->
              complete(
                  entries.stream().map(StreamEntryBinary::getID).toArray(StreamEntryID[]::new)));
    }

    private void complete(StreamEntryID[] ids) {
      Jedis connection = connections.take();
      try (Pipeline pipeline = connection.pipelined()) {
        pipeline.xack(STREAM, GROUP, ids);
        pipeline.xdel(STREAM, ids);
        for (Object count : pipeline.syncAndReturnAll()) {
          requireDone(count);
          if (!count.equals((long) ids.length)) {
            throw new IllegalStateException(
                "Redis did not complete all: expected=" + ids.length + ", done=" + count);
          }
        }
      }
      connections.giveBack(connection);
    }

    /** Refuses the answer of a call in a pipeline that failed: it is not thrown. */
    private static void requireDone(Object answer) {
      if (answer instanceof RuntimeException failure) {
        throw failure;
      }
    }

    @Override
    public void close() {
      connections.close();
    }
  }
}
