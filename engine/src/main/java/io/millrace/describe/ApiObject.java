package io.millrace.describe;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Objects of the API's own types that are made of the values of their attributes. */
final class ApiObject {

  private ApiObject() {}

  /**
   * Makes an object of a record, or of an interface of accessors; a map has the values as they are.
   */
  static Object of(Class<?> type, Map<String, Object> values) {
    if (type == Map.class) {
      return Map.copyOf(values);
    }
    return type.isRecord() ? ofRecord(type, values) : ofInterface(type, values);
  }

  private static Object ofRecord(Class<?> type, Map<String, Object> values) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] arguments =
        Arrays.stream(components)
            .map(component -> value(component.getName(), component.getType(), values))
            .toArray();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw new UnknownValueException(type.getSimpleName() + ": " + e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("record cannot be made: " + type.getName(), e);
    }
  }

  private static Object ofInterface(Class<?> type, Map<String, Object> values) {
    for (Method accessor : type.getMethods()) {
      if (isAccessor(accessor) && !accessor.isDefault()) {
        value(accessor.getName(), accessor.getReturnType(), values);
      }
    }
    Map<String, Object> kept = Map.copyOf(values);
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (object, method, arguments) -> answer(object, method, arguments, kept));
  }

  private static @Nullable Object answer(
      Object object, Method method, Object @Nullable [] arguments, Map<String, Object> values)
      throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return switch (method.getName()) {
        case "equals" -> arguments != null && arguments[0] == object;
        case "hashCode" -> System.identityHashCode(object);
        default -> values.toString();
      };
    }
    if (method.isDefault() && !(isAccessor(method) && values.containsKey(method.getName()))) {
      return InvocationHandler.invokeDefault(object, method, arguments);
    }
    return value(method.getName(), method.getReturnType(), values);
  }

  private static boolean isAccessor(Method method) {
    return method.getParameterCount() == 0;
  }

  /** Returns the value as an accessor or a constructor has it; bytes are the caller's own. */
  private static Object value(String name, Class<?> type, Map<String, Object> values) {
    Object kept = values.get(name);
    Object value = kept instanceof byte[] bytes ? bytes.clone() : kept;
    if (type == Optional.class) {
      return Optional.ofNullable(value);
    }
    if (type == OptionalInt.class) {
      return value == null ? OptionalInt.empty() : OptionalInt.of((Integer) value);
    }
    if (value == null) {
      throw new UnknownValueException(name + " is missing");
    }
    return value;
  }
}
