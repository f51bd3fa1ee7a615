package io.millrace.model.source;

import static java.lang.reflect.Modifier.ABSTRACT;
import static java.lang.reflect.Modifier.FINAL;
import static java.lang.reflect.Modifier.PROTECTED;
import static java.lang.reflect.Modifier.PUBLIC;
import static java.lang.reflect.Modifier.STATIC;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The API that callers and implementers compile against, as text: a line for each type that they
 * see and one for each of its members, which a person can review.
 *
 * <p>It is the same on each JDK: nothing is put down in the order or in the words of reflection.
 * Members from a supertype that nobody sees are told as the type's own.
 */
final class ApiText {

  private static final String OURS = "io.millrace.";
  private static final int TOLD = PUBLIC | PROTECTED | STATIC | ABSTRACT | FINAL;

  /** Members that say nothing: of every object, and of every enum. */
  private static final Set<String> IMPLIED =
      Set.of("equals(Object)", "hashCode()", "toString()", "values()", "valueOf(String)");

  private final Set<String> packages;

  ApiText(Set<String> packages) {
    this.packages = Set.copyOf(packages);
  }

  /** Tells whether users can name the type. */
  boolean isSeen(Class<?> type) {
    return packages.contains(type.getPackageName())
        && Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getEnclosingClass)
            .allMatch(each -> isOpen(each.getModifiers()));
  }

  /** Answers the type's own line, and then those of its members. */
  List<String> lines(Class<?> type) {
    Map<String, String> members = new TreeMap<>();
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      add(members, constructor, signature("new", constructor), executable(constructor, "", ""));
    }
    addMembers(members, type, type);
    members.keySet().removeAll(IMPLIED);
    List<String> lines = new ArrayList<>(List.of(name(type) + ": " + declaration(type)));
    members.forEach((key, rest) -> lines.add(name(type) + "." + key + ": " + rest));
    return lines;
  }

  /** Adds what the type has, and what it has from hidden ones, as that of its heir. */
  private void addMembers(Map<String, String> members, Class<?> type, Class<?> heir) {
    for (Field field : type.getDeclaredFields()) {
      String typeText = text(field.getAnnotatedType());
      add(members, field, field.getName(), words(told(field), typeText, value(field)));
    }
    for (Method method : type.getDeclaredMethods()) {
      String text = executable(method, mayBeLeftOut(method), text(method.getAnnotatedReturnType()));
      // Static methods of interfaces have no heirs.
      if (type == heir || !type.isInterface() || !Modifier.isStatic(method.getModifiers())) {
        add(members, method, signature(method.getName(), method), text);
      }
    }
    Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
        .filter(above -> above.getName().startsWith(OURS) && !isSeen(above))
        .forEach(above -> addMembers(members, above, heir));
  }

  /** Adds what users see; what a class has itself is added before what it has from above. */
  private static void add(Map<String, String> members, Member member, String key, String text) {
    if (isOpen(member.getModifiers()) && !member.isSynthetic()) {
      members.putIfAbsent(key, text);
    }
  }

  private static boolean isOpen(int modifiers) {
    return (modifiers & (PUBLIC | PROTECTED)) != 0;
  }

  private static String declaration(Class<?> type) {
    Class<?> above = type.getSuperclass();
    boolean isOrdinary = above != null && above != Object.class && !type.isEnum();
    // Whether an enum is sealed depends on bodies of its constants.
    int implied = type.isEnum() ? ABSTRACT | FINAL : type.isInterface() ? ABSTRACT : 0;
    boolean isSealed = type.isSealed() && !type.isEnum();
    return words(
        marks(type),
        Modifier.toString(type.getModifiers() & TOLD & ~implied),
        isSealed ? "sealed" : "",
        kind(type),
        parameters(type.getTypeParameters()),
        type.isRecord() ? list("(", type.getRecordComponents(), ApiText::component, ")") : "",
        isOrdinary && !type.isRecord() ? "extends " + text(type.getAnnotatedSuperclass()) : "",
        sorted(
            type.isInterface() ? "extends " : "implements ",
            type.getAnnotatedInterfaces(),
            ApiText::text),
        isSealed ? sorted("permits ", type.getPermittedSubclasses(), ApiText::name) : "");
  }

  private static String kind(Class<?> type) {
    return type.isAnnotation()
        ? "@interface"
        : type.isInterface()
            ? "interface"
            : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
  }

  private static String component(RecordComponent component) {
    return text(component.getAnnotatedType()) + " " + component.getName();
  }

  private static String executable(Executable executable, String word, String returned) {
    return words(
        told(executable),
        word,
        parameters(executable.getTypeParameters()),
        returned,
        sorted("throws ", executable.getAnnotatedExceptionTypes(), ApiText::text));
  }

  private static String signature(String name, Executable executable) {
    String text = list("(", executable.getAnnotatedParameterTypes(), ApiText::text, ")");
    return name + (executable.isVarArgs() ? text.replaceFirst("\\[]\\)$", "...)") : text);
  }

  /** Tells what implementers, and users of an annotation, need not say. */
  private static String mayBeLeftOut(Method method) {
    return method.isDefault() || method.getDefaultValue() != null ? "default" : "";
  }

  private static <T extends AnnotatedElement & Member> String told(T member) {
    return words(marks(member), Modifier.toString(member.getModifiers() & TOLD));
  }

  /** Answers the value that compilers copy into the classes of users. */
  private static String value(Field field) {
    boolean isSimple = field.getType().isPrimitive() || field.getType() == String.class;
    if (!isSimple || !Modifier.isStatic(field.getModifiers())) {
      return "";
    }
    try {
      field.setAccessible(true);
      return Modifier.isFinal(field.getModifiers()) ? "= " + literal(field.get(null)) : "";
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static String literal(Object value) {
    String text = Arrays.deepToString(new Object[] {value}).replace("\n", "\\n");
    String bare = text.substring(1, text.length() - 1);
    return value instanceof String ? '"' + bare + '"' : bare;
  }

  private static String marks(AnnotatedElement element) {
    return Stream.of(element.getDeclaredAnnotations())
        .map(ApiText::mark)
        .sorted()
        .collect(Collectors.joining(" "));
  }

  private static String mark(Annotation mark) {
    Map<String, String> values = new TreeMap<>();
    for (Method method : mark.annotationType().getDeclaredMethods()) {
      try {
        method.setAccessible(true);
        Object value = method.invoke(mark);
        if (!Objects.deepEquals(value, method.getDefaultValue())) {
          values.put(method.getName(), literal(value));
        }
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
    return "@"
        + mark.annotationType().getSimpleName()
        + (values.isEmpty() ? "" : values.toString().replace('{', '(').replace('}', ')'));
  }

  private static String parameters(TypeVariable<?>[] variables) {
    return variables.length == 0 ? "" : list("<", variables, ApiText::parameter, ">");
  }

  private static String parameter(TypeVariable<?> variable) {
    return variable.getName() + bounds(" extends ", variable.getAnnotatedBounds());
  }

  private static String bounds(String word, AnnotatedType[] bounds) {
    String text = Stream.of(bounds).map(ApiText::text).collect(Collectors.joining(" & "));
    return text.isEmpty() || text.equals("Object") ? "" : word + text;
  }

  private static String text(AnnotatedType type) {
    if (type instanceof AnnotatedArrayType array) {
      return words(text(array.getAnnotatedGenericComponentType()), marks(type)) + "[]";
    }
    return words(marks(type), bare(type));
  }

  private static String bare(AnnotatedType type) {
    if (type instanceof AnnotatedParameterizedType parameterized) {
      Class<?> raw = (Class<?>) ((ParameterizedType) type.getType()).getRawType();
      return name(raw)
          + list("<", parameterized.getAnnotatedActualTypeArguments(), ApiText::text, ">");
    } else if (type instanceof AnnotatedWildcardType wildcard) {
      AnnotatedType[] lower = wildcard.getAnnotatedLowerBounds();
      return "?"
          + (lower.length > 0
              ? bounds(" super ", lower)
              : bounds(" extends ", wildcard.getAnnotatedUpperBounds()));
    }
    return type instanceof AnnotatedTypeVariable
        ? type.getType().getTypeName()
        : name((Class<?>) type.getType());
  }

  private static String name(Class<?> type) {
    String name = type.getCanonicalName();
    return type.getPackageName().equals("java.lang") && !type.isPrimitive()
        ? name.substring("java.lang.".length())
        : name;
  }

  private static <T> String sorted(String word, T[] all, Function<T, String> text) {
    return all.length == 0
        ? ""
        : Stream.of(all).map(text).sorted().collect(Collectors.joining(", ", word, ""));
  }

  private static <T> String list(String open, T[] all, Function<T, String> text, String close) {
    return Stream.of(all).map(text).collect(Collectors.joining(", ", open, close));
  }

  private static String words(String... words) {
    return Stream.of(words).filter(word -> !word.isEmpty()).collect(Collectors.joining(" "));
  }
}
