package io.millrace.model.remote;

import io.millrace.api.Durability;
import io.millrace.api.JobQueues;
import io.millrace.client.ClockedQueues;
import io.millrace.server.Server;
import io.millrace.spi.testkit.rig.Reach;
import io.millrace.test.TestEngine;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** The way through a server on this machine and a client of it. */
public final class ThroughServer implements Reach {

  @Override
  public <Q extends AutoCloseable> Q reach(Q queues, Class<Q> as) {
    JobQueues direct = (JobQueues) queues;
    LongSupplier nowNs =
        queues instanceof TestEngine
            ? () -> TimeUnit.MILLISECONDS.toNanos(direct.now().toEpochMilli())
            : System::nanoTime;
    return as.cast(Reached.begin(direct, nowNs).seenAs(as));
  }

  /** Queues, a server of them, and a client of it, which are closed together. */
  private record Reached(JobQueues direct, Server server, JobQueues client)
      implements InvocationHandler {

    static Reached begin(JobQueues direct, LongSupplier nowNs) {
      Server server = Server.on(direct).listen("127.0.0.1:0");
      return new Reached(direct, server, ClockedQueues.connect(server.port(), nowNs));
    }

    Object seenAs(Class<?> as) {
      return Proxy.newProxyInstance(
          as.getClassLoader(),
          Stream.concat(Stream.of(as), Stream.of(client.getClass().getInterfaces()))
              .distinct()
              .toArray(Class<?>[]::new),
          this);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
      switch (method.getName()) {
        case "close" -> {
          client.close();
          server.close();
          direct.close();
          return null;
        }
        case "with" -> {
          JobQueues with = client.with((Durability) args[0]);
          return new Reached(direct, server, with).seenAs(JobQueues.class);
        }
        default -> {
          boolean isOfClient = method.getDeclaringClass().isInstance(client);
          if (!isOfClient && method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, args);
          }
          return forwarded(isOfClient ? client : direct, method, args);
        }
      }
    }

    private static Object forwarded(Object to, Method method, Object[] args) throws Throwable {
      try {
        return method.invoke(to, args);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }
}
