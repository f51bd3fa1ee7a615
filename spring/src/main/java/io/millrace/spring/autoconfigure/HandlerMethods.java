package io.millrace.spring.autoconfigure;

import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.spring.JobHandler;
import io.millrace.spring.JobTypes;
import io.millrace.spring.Recurring;
import io.millrace.worker.Next;
import io.millrace.worker.Schedule;
import io.millrace.worker.WorkerSetup;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * The methods of all beans that work on jobs. They are looked for when all beans are there, so that
 * a mistake keeps the application from starting. Beans are not made for that: lazy ones stay lazy.
 */
final class HandlerMethods implements SmartInitializingSingleton {

  /** The payload of jobs whose handlers take none. */
  private static final Codec<Object> NOTHING =
      new Codec<>() {
        @Override
        public byte[] encode(Object value) {
          return new byte[0];
        }

        @Override
        public Object decode(byte[] bytes) {
          return "";
        }
      };

  private final ConfigurableListableBeanFactory beans;
  private final JobTypes types;
  private final Annotations annotations;
  private final Map<String, Typed> handlers = new LinkedHashMap<>();

  /** A handler and the type of its jobs. */
  private record Typed(AnnotatedHandler handler, JobType<Object> type) {}

  HandlerMethods(ConfigurableListableBeanFactory beans, JobTypes types) {
    this.beans = beans;
    this.types = types;
    this.annotations = new Annotations(beans::resolveEmbeddedValue);
  }

  /**
   * Finds the methods.
   *
   * @throws ConfigurationFault one of them cannot handle jobs, two are for one type, or an
   *     annotation is wrong
   */
  @Override
  public void afterSingletonsInstantiated() {
    for (String name : beans.getBeanNamesForType(Object.class)) {
      @Nullable Class<?> type = targetClass(name);
      if (type != null) {
        find(name, type, JobHandler.class)
            .forEach((method, says) -> add(annotations.read(method, says)));
        find(name, type, Recurring.class)
            .forEach((method, says) -> add(annotations.read(method, says)));
      }
    }
  }

  /**
   * Returns the class that has the methods of a bean, behind any proxy; null if it is not known, or
   * the bean is only there for such a proxy.
   */
  private @Nullable Class<?> targetClass(String bean) {
    if (ScopedProxyUtils.isScopedTarget(bean)) {
      return null;
    }
    @Nullable Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
    if (type == null || !ScopedObject.class.isAssignableFrom(type)) {
      return type;
    }
    @Nullable Class<?> target =
        AutoProxyUtils.determineTargetClass(beans, ScopedProxyUtils.getTargetBeanName(bean));
    return target == null ? type : target;
  }

  private <A extends Annotation> Map<HandlerMethod, A> find(
      String bean, Class<?> type, Class<A> annotation) {
    Map<HandlerMethod, A> found = new LinkedHashMap<>();
    if (AnnotationUtils.isCandidateClass(type, annotation)) {
      MethodIntrospector.selectMethods(
              type,
              (MethodIntrospector.MetadataLookup<A>)
                  method -> AnnotatedElementUtils.findMergedAnnotation(method, annotation))
          .forEach((method, says) -> found.put(handler(bean, type, method), says));
    }
    return found;
  }

  private HandlerMethod handler(String bean, Class<?> type, Method method) {
    try {
      Class<?> beanType = Objects.requireNonNullElse(beans.getType(bean), type);
      Method called = AopUtils.selectInvocableMethod(method, beanType);
      return new HandlerMethod(() -> beans.getBean(bean), type, method, called);
    } catch (IllegalStateException e) {
      throw new ConfigurationFault(
          "method cannot be called through the proxy of its bean: "
              + type.getName()
              + "."
              + method.getName()
              + "; "
              + e.getMessage(),
          "Let it not be private, and have the bean proxied by its class, or the method in its"
              + " interface",
          e);
    }
  }

  private void add(AnnotatedHandler handler) {
    Typed typed = new Typed(handler, type(handler));
    @Nullable Typed before = handlers.putIfAbsent(handler.type(), typed);
    if (before != null) {
      throw new ConfigurationFault(
          "two methods handle jobs of one type: type="
              + handler.type()
              + ", "
              + before.handler().method()
              + " and "
              + handler.method(),
          "Give one of them another type; several types may share a queue");
    }
  }

  private JobType<Object> type(AnnotatedHandler handler) {
    @Nullable JobType<Object> ofBean = typeOfBean(handler);
    if (ofBean != null) {
      return ofBean;
    }
    try {
      JobType<Object> type = JobType.of(handler.type(), payloads(handler.method()));
      return handler.queue().map(type::queue).orElse(type);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationFault(
          "jobs of " + handler.method() + " cannot be read: " + e.getMessage(),
          "Take another name or another payload, or declare a bean of type JobType with this name",
          e);
    }
  }

  @SuppressWarnings("unchecked") // the codec is of the type of the parameter
  private Codec<Object> payloads(HandlerMethod method) {
    return method.hasPayload() ? (Codec<Object>) types.codecOf(method.payloadType()) : NOTHING;
  }

  /** Returns the bean that is the type of this name; null if there is none. */
  @SuppressWarnings("unchecked") // its payload is compared with that of the method
  private @Nullable JobType<Object> typeOfBean(AnnotatedHandler handler) {
    for (String bean : beans.getBeanNamesForType(JobType.class)) {
      JobType<?> type = beans.getBean(bean, JobType.class);
      if (type.name().equals(handler.type())) {
        checkPayload(handler, bean);
        if (handler.queue().isPresent()) {
          throw new ConfigurationFault(
              "queue is said twice: by " + handler.method() + " and by the bean " + bean,
              "Leave it out of the annotation");
        }
        return (JobType<Object>) type;
      }
    }
    return null;
  }

  private void checkPayload(AnnotatedHandler handler, String bean) {
    @Nullable Class<?> said = payloadOfBean(bean);
    HandlerMethod method = handler.method();
    if (said != null && method.hasPayload() && !method.payloadClass().isAssignableFrom(said)) {
      throw new ConfigurationFault(
          "handler takes another payload than its type has: "
              + method
              + ", bean="
              + bean
              + ", payload="
              + said.getName(),
          "Let both have one payload");
    }
  }

  /** Returns the payload of the type that a bean is, as far as its declaration says. */
  private @Nullable Class<?> payloadOfBean(String bean) {
    return beans.containsBeanDefinition(bean)
        ? beans
            .getMergedBeanDefinition(bean)
            .getResolvableType()
            .as(JobType.class)
            .resolveGeneric(0)
        : null;
  }

  boolean isEmpty() {
    return handlers.isEmpty();
  }

  /** Adds all handlers to a worker. */
  void addTo(WorkerSetup setup) {
    handlers.values().forEach(each -> add(setup, each.handler(), each.type()));
  }

  private void add(WorkerSetup setup, AnnotatedHandler handler, JobType<Object> type) {
    HandlerMethod method = handler.method();
    if (method.isVoid()) {
      setup.handle(type, method::call, handler.options());
    } else if (method.isSteps()) {
      setup.steps(
          type, (payload, job) -> next(method, method.call(payload, job)), handler.options());
    } else {
      setup.compute(
          type.returning(results(method)),
          (payload, job) -> result(method, method.call(payload, job)),
          handler.options());
    }
  }

  private static Next next(HandlerMethod method, @Nullable Object answer) {
    return (Next) result(method, answer);
  }

  private static Object result(HandlerMethod method, @Nullable Object answer) {
    return Objects.requireNonNull(answer, () -> "handler answered null: method=" + method);
  }

  @SuppressWarnings("unchecked") // the codec is of the type of the answer
  private Codec<Object> results(HandlerMethod method) {
    return (Codec<Object>) types.codecOf(method.resultType());
  }

  /** Returns the schedules of all recurring methods, with their jobs. */
  List<Schedule> schedules() {
    List<Schedule> schedules = new ArrayList<>();
    for (Typed each : handlers.values()) {
      each.handler().schedule().ifPresent(it -> schedules.add(it.enqueue(each.type(), "")));
    }
    return schedules;
  }
}
