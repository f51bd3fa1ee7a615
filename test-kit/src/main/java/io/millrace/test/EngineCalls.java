package io.millrace.test;

import io.millrace.api.Durability;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.engine.noted.Noted;
import io.millrace.test.TestEngine.CommitFate;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a test engine: those of {@link JobQueues}, and those by which workers tell
 * something, go to the engine, the rest to the test's time. Done by reflection, since the methods
 * of queues become more, and every other way would have to name each of them.
 */
final class EngineCalls implements InvocationHandler {

  private static final Object[] NONE = {};

  private final VirtualTime time;
  private final JobQueues queues;

  private EngineCalls(VirtualTime time, JobQueues queues) {
    this.time = time;
    this.queues = queues;
  }

  static TestEngine proxy(VirtualTime time, JobQueues queues) {
    return (TestEngine)
        Proxy.newProxyInstance(
            TestEngine.class.getClassLoader(),
            new Class<?>[] {TestEngine.class, Noted.class},
            new EngineCalls(time, queues));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] given)
      throws Throwable {
    Object[] args = given == null ? NONE : given;
    Class<?> asked = method.getDeclaringClass();
    if (asked == Object.class) {
      return object(proxy, method.getName(), args);
    }
    if (asked.isAssignableFrom(JobQueues.class) || asked == Noted.class) {
      return queues(method, args);
    }
    if (method.isDefault()) {
      return InvocationHandler.invokeDefault(proxy, method, args);
    }
    return time(proxy, method.getName(), args);
  }

  private Object object(Object proxy, String method, Object[] args) {
    return switch (method) {
      case "equals" -> proxy == args[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "TestEngine[now=" + queues.now() + "]";
    };
  }

  private @Nullable Object queues(Method method, Object[] args) throws Throwable {
    if (method.getName().equals("close")) {
      time.close();
      return null;
    }
    time.awaitReopened();
    if (method.getName().equals("with")) {
      return proxy(time, queues.with((Durability) args[0]));
    }
    try {
      return method.invoke(queues, args);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  @SuppressWarnings("unchecked") // The compiler has checked what the callers give.
  private @Nullable Object time(Object proxy, String method, Object[] args) {
    switch (method) {
      case "run":
        return time.run();
      case "advance":
        return time.advance((Duration) args[0]);
      case "advanceTo":
        return time.advanceTo((Instant) args[0]);
      case "assertJobs":
        return time.assertJobs((JobType<?>) args[0]);
      case "crash":
        time.crash();
        return null;
      case "failNextCommit":
        time.failNextCommit((CommitFate) args[0]);
        return null;
      case "drive":
        time.drive((BooleanSupplier) args[0]);
        return null;
      case "allowFailures":
        time.failures().allow((Class<? extends Throwable>) args[0]);
        return null;
      case "strict":
        time.failures().beStrict();
        return proxy;
      case "listener":
        return time.failures();
      case "release":
        time.release((BooleanSupplier) args[0]);
        return null;
      default:
        throw new IllegalStateException("a test engine cannot do this: method=" + method);
    }
  }
}
