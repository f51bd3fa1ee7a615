package io.millrace.spring.autoconfigure;

import io.millrace.worker.HandlerContext;
import io.millrace.worker.JobContext;
import io.millrace.worker.Next;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/** A method of a bean that works on jobs, with the places of its arguments. Any thread. */
final class HandlerMethod {

  private final Supplier<Object> bean;
  private final Method method;
  private final String description;
  private final ResolvableType[] parameters;
  private final ResolvableType returned;
  private final int job;
  private final int payload;

  /**
   * Creates the handler.
   *
   * @param bean asked for the bean at each call: its scope decides which one that is
   * @param declared the method that has the annotation
   * @param method the method to call on the bean, which may be a proxy
   * @throws ConfigurationFault the method cannot handle jobs
   */
  HandlerMethod(Supplier<Object> bean, Class<?> type, Method declared, Method method) {
    this.bean = bean;
    this.method = method;
    this.description = describe(type, declared);
    this.parameters = new ResolvableType[declared.getParameterCount()];
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] = ResolvableType.forMethodParameter(declared, i, type);
    }
    this.returned = ResolvableType.forMethodReturnType(declared, type);
    this.job = place(true).orElse(-1);
    this.payload = place(false).orElse(-1);
    check();
    ReflectionUtils.makeAccessible(method);
  }

  private static String describe(Class<?> type, Method method) {
    StringBuilder text = new StringBuilder(type.getName()).append('.').append(method.getName());
    text.append('(');
    for (Class<?> each : method.getParameterTypes()) {
      text.append(text.charAt(text.length() - 1) == '(' ? "" : ", ").append(each.getSimpleName());
    }
    return text.append(')').toString();
  }

  /** Returns the place of the context, or of the payload; empty if there is none. */
  private OptionalInt place(boolean ofContext) {
    OptionalInt found = OptionalInt.empty();
    for (int i = 0; i < parameters.length; i++) {
      boolean isContext = JobContext.class.isAssignableFrom(parameters[i].toClass());
      if (isContext == ofContext) {
        if (found.isPresent()) {
          throw wrong(
              ofContext
                  ? "it has two parameters for the job"
                  : "it has two parameters that may be the payload, "
                      + parameters[found.getAsInt()]
                      + " and "
                      + parameters[i]);
        }
        found = OptionalInt.of(i);
      }
    }
    return found;
  }

  private void check() {
    if (job >= 0 && parameters[job].toClass() != JobContext.class) {
      if (parameters[job].toClass() != HandlerContext.class) {
        throw wrong("it asks for the job as " + parameters[job]);
      }
      if (!isVoid()) {
        throw wrong(
            "it asks for a HandlerContext and returns a value, which says how the job ends");
      }
    }
  }

  private ConfigurationFault wrong(String why) {
    return new ConfigurationFault(
        "method cannot handle jobs: " + description + "; " + why,
        "Give it one payload at most and perhaps a JobContext (a HandlerContext if it returns"
            + " nothing): void send(Mail mail, JobContext job)");
  }

  boolean hasPayload() {
    return payload >= 0;
  }

  /** Returns the type of the payload, which there must be. */
  Type payloadType() {
    return resolved(parameters[payload]);
  }

  /** Returns the class of the payload, which there must be. */
  Class<?> payloadClass() {
    return parameters[payload].toClass();
  }

  /** Returns the type of the answer. */
  Type resultType() {
    return resolved(returned);
  }

  /** Returns the type, and of a variable the class that it stands for in this bean. */
  private static Type resolved(ResolvableType type) {
    return type.hasGenerics() || type.isArray() ? type.getType() : type.toClass();
  }

  boolean isVoid() {
    return returned.toClass() == void.class;
  }

  boolean isSteps() {
    return Next.class.isAssignableFrom(returned.toClass());
  }

  /**
   * Calls the method.
   *
   * @throws Exception what the method throws
   */
  @Nullable Object call(Object value, JobContext context) throws Exception {
    Object[] arguments = new Object[parameters.length];
    if (payload >= 0) {
      arguments[payload] = value;
    }
    if (job >= 0) {
      arguments[job] = context;
    }
    try {
      return method.invoke(bean.get(), arguments);
    } catch (InvocationTargetException e) {
      Throwable thrown = e.getTargetException();
      if (thrown instanceof Exception exception) {
        throw exception;
      }
      if (thrown instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }

  @Override
  public String toString() {
    return description;
  }
}
