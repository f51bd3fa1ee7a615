package io.millrace.client;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
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
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Texts of what the API answers, which can be compared: of objects all that their public types
 * tell. Times are shown as such alone, for no two engines have the same.
 */
final class Shown {

  /** A time in a sentence, and how long ago that was. */
  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z( \\([^)]*\\))?");

  /** Methods of the API's types that tell nothing of the object itself. */
  private static final Set<String> NO_FACTS = Set.of("hashCode", "toString", "getClass", "orThrow");

  /** Methods of a lease that end it. */
  private static final Set<String> ENDS =
      Set.of("complete", "completeAsync", "release", "releaseAsync");

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
    if (value instanceof Duration) {
      return "a time";
    }
    if (value instanceof CompletableFuture<?>) {
      return "a future";
    }
    Class<?> type = value.getClass();
    if (type.isEnum() || type.isAnonymousClass() || type.getPackageName().startsWith("java.")) {
      return TIME.matcher(value.toString()).replaceAll("at a time");
    }
    return facts(value);
  }

  private static String facts(Object value) {
    Class<?> seen = seen(value.getClass());
    Stream<Method> facts =
        seen.isRecord()
            ? Arrays.stream(seen.getRecordComponents()).map(RecordComponent::getAccessor)
            : Arrays.stream(seen.getMethods())
                .filter(Shown::isFact)
                .sorted(Comparator.comparing(Method::getName));
    return facts
        .map(method -> method.getName() + "=" + told(method, value))
        .collect(Collectors.joining(" ", seen.getSimpleName() + "{", "}"));
  }

  private static boolean isFact(Method method) {
    return method.getParameterCount() == 0
        && method.getReturnType() != void.class
        && !Modifier.isStatic(method.getModifiers())
        && !NO_FACTS.contains(method.getName())
        && !ENDS.contains(method.getName());
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
