package io.millrace.client;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the API answers, as texts that can be compared: of objects all that their public types tell.
 * Times are shown as such alone, for no two engines have the same.
 */
final class Shown {

  /** Methods of the API's types that tell nothing of the object itself. */
  private static final Set<String> NO_FACTS =
      Set.of("hashCode", "toString", "getClass", "notify", "notifyAll", "clone", "orThrow");

  private Shown() {}

  static String of(Object value) {
    if (value instanceof Optional<?> some) {
      return some.map(it -> "some " + of(it)).orElse("none");
    }
    if (value instanceof OptionalInt || value instanceof OptionalLong) {
      return value.toString();
    }
    if (value instanceof byte[] bytes) {
      return bytes.length > 200
          ? bytes.length + " bytes, hash=" + Arrays.hashCode(bytes)
          : "\"" + new String(bytes, StandardCharsets.ISO_8859_1) + "\"";
    }
    if (value instanceof Collection<?> all) {
      List<String> shown = all.stream().map(Shown::of).toList();
      return (value instanceof Set<?> ? shown.stream().sorted().toList() : shown).toString();
    }
    if (value instanceof Map<?, ?> all) {
      Map<String, String> shown = new TreeMap<>();
      all.forEach((key, each) -> shown.put(of(key), of(each)));
      return shown.toString();
    }
    if (value instanceof Instant) {
      return "an instant";
    }
    if (value instanceof Duration duration) {
      return duration.isZero() ? "no time" : "a time";
    }
    Class<?> type = value.getClass();
    if (type.isEnum() || type.isAnonymousClass() || type.getPackageName().startsWith("java.")) {
      return value.toString();
    }
    return facts(value);
  }

  private static String facts(Object value) {
    Class<?> seen = seen(value.getClass());
    StringBuilder all = new StringBuilder(seen.getSimpleName()).append('{');
    Arrays.stream(seen.getMethods())
        .filter(method -> isFact(method))
        .sorted(Comparator.comparing(Method::getName))
        .forEach(
            method ->
                all.append(method.getName()).append('=').append(told(method, value)).append(' '));
    return all.append('}').toString();
  }

  private static boolean isFact(Method method) {
    return method.getParameterCount() == 0
        && method.getReturnType() != void.class
        && !Modifier.isStatic(method.getModifiers())
        && !NO_FACTS.contains(method.getName());
  }

  private static String told(Method method, Object value) {
    try {
      return of(method.invoke(value));
    } catch (InvocationTargetException e) {
      return String.valueOf(e.getCause());
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the public type of the API that the object is seen as. */
  private static Class<?> seen(Class<?> type) {
    if (Modifier.isPublic(type.getModifiers()) && type.getPackageName().equals("io.millrace.api")) {
      return type;
    }
    return Arrays.stream(type.getInterfaces())
        .filter(each -> each.getPackageName().equals("io.millrace.api"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("not of the API: " + type));
  }
}
