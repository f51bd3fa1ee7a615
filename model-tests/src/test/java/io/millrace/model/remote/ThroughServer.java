package io.millrace.model.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.Durability;
import io.millrace.api.JobQueues;
import io.millrace.client.ClockedQueues;
import io.millrace.client.RemoteQueues;
import io.millrace.engine.noted.Noted;
import io.millrace.server.Server;
import io.millrace.spi.testkit.rig.Reach;
import io.millrace.test.TestEngine;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The way through a server on this machine and a client of it. */
public final class ThroughServer implements Reach {

  @Override
  public <Q extends AutoCloseable> Q reach(Q queues, Class<Q> as) {
    JobQueues direct = (JobQueues) queues;
    LongSupplier nowNs =
        queues instanceof TestEngine
            ? () -> TimeUnit.MILLISECONDS.toNanos(direct.now().toEpochMilli())
            : System::nanoTime;
    Way way = begin(direct, nowNs);
    return as.cast(new Seen(direct, way, way.client).as(as));
  }

  /**
   * Begins to serve queues, and connects to their server.
   *
   * @param nowNs the clock by which the client's leases last
   */
  public static Way begin(JobQueues queues, LongSupplier nowNs) {
    Server server = Server.on(queues).listen("127.0.0.1:0");
    return new Way(server, ClockedQueues.connect(server.port(), nowNs));
  }

  /** A server, and a client of it. */
  public record Way(Server server, RemoteQueues client) implements AutoCloseable {

    public JobQueues queues() {
      return client;
    }

    /** Waits until whatever was asked for has reached the queues: calls arrive in their order. */
    public void awaitCalls() {
      try {
        assertThat(client.now()).isNotNull();
      } catch (MillraceException e) {
        // The queues are closed, and say so to all who asked before.
        assertThat(e).isNotNull();
      }
    }

    /** The client's leases stay as they are if the queues are closed by now. */
    @Override
    public void close() {
      server.close();
      Thread closing = new Thread(client::close, "client is closed");
      closing.setDaemon(true);
      closing.start();
    }
  }

  /** Queues as a test knows them: their calls go by the way, what they have beside does not. */
  private record Seen(JobQueues direct, Way way, JobQueues client) implements InvocationHandler {

    Object as(Class<?> type) {
      List<Class<?>> types =
          client instanceof Noted ? List.of(type, Noted.class) : List.<Class<?>>of(type);
      return Proxy.newProxyInstance(type.getClassLoader(), types.toArray(Class<?>[]::new), this);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
      switch (method.getName()) {
        case "close" -> {
          client.close();
          way.server.close();
          direct.close();
          return null;
        }
        case "with" -> {
          return new Seen(direct, way, client.with((Durability) args[0])).as(JobQueues.class);
        }
        default -> {
          boolean isOfClient = method.getDeclaringClass().isInstance(client);
          if (!isOfClient && method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, args);
          }
          return passed(isOfClient ? client : direct, method, args);
        }
      }
    }

    private static Object passed(Object to, Method method, Object[] args) throws Throwable {
      try {
        return method.invoke(to, args);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }
}
