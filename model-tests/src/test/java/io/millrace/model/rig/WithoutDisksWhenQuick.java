package io.millrace.model.rig;

import io.millrace.spi.testkit.fault.Trials;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Has the quick build leave out those runs of a test on several stores that need a disk. */
public final class WithoutDisksWhenQuick implements InvocationInterceptor {

  private static final List<StoreKind> ON_DISKS = List.of(StoreKind.LMDB, StoreKind.ROCKSDB);

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> run,
      ExtensionContext extension)
      throws Throwable {
    boolean isOnDisk = run.getArguments().stream().anyMatch(ON_DISKS::contains);
    Assumptions.assumeFalse(Trials.isQuick() && isOnDisk, "left to the other builds");
    invocation.proceed();
  }
}
