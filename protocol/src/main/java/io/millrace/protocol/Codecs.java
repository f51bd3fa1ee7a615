package io.millrace.protocol;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import io.millrace.describe.Description;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The codecs of objects, found by their classes: a record is a message with a field for each
 * component, and so is an interface of accessors; one of several classes is a message with a {@code
 * oneof}. Names follow from each other, {@code jobId} and {@code job_id}; times and lengths of time
 * are in milliseconds, and end with {@code _ms}. What has no field, or no component, is an error.
 */
final class Codecs {

  private record Key(Type type, Map<String, Type> arguments, Descriptor message) {}

  private final Map<Key, MessageCodec<?>> known = new HashMap<>();
  private final UnknownFields unknown;

  Codecs(UnknownFields unknown) {
    this.unknown = unknown;
  }

  /**
   * Returns the codec of the objects of this class.
   *
   * @throws IllegalStateException class and message do not fit
   */
  @SuppressWarnings("unchecked") // its objects are of the class
  <T> MessageCodec<T> of(Class<T> type, Descriptor message) {
    return (MessageCodec<T>) message(type, message, Map.of());
  }

  /** Returns the fields without which their messages are refused. */
  Set<FieldDescriptor> needed() {
    Set<FieldDescriptor> needed = new HashSet<>();
    for (MessageCodec<?> codec : known.values()) {
      if (codec instanceof ObjectCodec<?> object) {
        needed.addAll(object.needed());
      }
    }
    return needed;
  }

  private MessageCodec<?> message(Type type, Descriptor message, Map<String, Type> arguments) {
    Class<?> raw = raw(type, arguments);
    Map<String, Type> own = own(type, raw, arguments);
    Key key = new Key(raw, own, message);
    MessageCodec<?> codec = known.get(key);
    if (codec == null) {
      codec = make(raw, message, own, key);
    }
    return codec;
  }

  private MessageCodec<?> make(
      Class<?> raw, Descriptor message, Map<String, Type> arguments, Key key) {
    Shapes.Shape<?, ?> shape = Shapes.find(raw);
    if (shape != null) {
      MessageCodec<?> adapted = adapted(shape, message);
      known.put(key, adapted);
      return adapted;
    }
    if (raw.isSealed()) {
      OneOfCodec<Object> codec = new OneOfCodec<>(unknown);
      known.put(key, codec);
      addChoices(codec, raw, message, arguments);
      return codec;
    }
    Map<String, Method> accessors = accessors(raw, message);
    List<FieldDescriptor> fields = new ArrayList<>();
    List<ObjectCodec.Component> components = new ArrayList<>();
    ObjectCodec<?> codec = new ObjectCodec<>(maker(raw, accessors.keySet()), unknown);
    known.put(key, codec);
    accessors.forEach(
        (name, accessor) -> {
          Type type = accessor.getGenericReturnType();
          FieldDescriptor field = field(message, name, type, arguments);
          fields.add(field);
          components.add(
              new ObjectCodec.Component(component(type, field, arguments), getter(accessor)));
        });
    refuseRest(raw, message, fields);
    codec.components(components);
    return codec;
  }

  private <T, R> MessageCodec<T> adapted(Shapes.Shape<T, R> shape, Descriptor message) {
    return new AdaptedCodec<>(of(shape.as(), message), shape);
  }

  private void addChoices(
      OneOfCodec<Object> codec, Class<?> raw, Descriptor message, Map<String, Type> arguments) {
    List<FieldDescriptor> fields = new ArrayList<>();
    for (Class<?> type : leaves(raw)) {
      FieldDescriptor field = message.findFieldByName(snake(type.getSimpleName()));
      OneofDescriptor oneof = field == null ? null : field.getContainingOneof();
      if (field == null || oneof == null) {
        throw unfit(raw, message, "no choice " + snake(type.getSimpleName()));
      }
      Map<String, Type> same = new HashMap<>();
      for (TypeVariable<?> variable : type.getTypeParameters()) {
        same.put(variable.getName(), arguments.getOrDefault(variable.getName(), byte[].class));
      }
      codec.add(
          type, new OneOfCodec.Choice(field, plain(message(type, field.getMessageType(), same))));
      fields.add(field);
    }
    refuseRest(raw, message, fields);
  }

  private static List<Class<?>> leaves(Class<?> sealed) {
    List<Class<?>> leaves = new ArrayList<>();
    for (Class<?> permitted : sealed.getPermittedSubclasses()) {
      leaves.addAll(permitted.isSealed() ? leaves(permitted) : List.of(permitted));
    }
    return leaves;
  }

  /** Returns the accessors of the components by name, in their order. */
  private static Map<String, Method> accessors(Class<?> raw, Descriptor message) {
    Map<String, Method> accessors = new LinkedHashMap<>();
    if (raw.isRecord()) {
      for (RecordComponent component : raw.getRecordComponents()) {
        accessors.put(component.getName(), component.getAccessor());
      }
      return accessors;
    }
    if (!raw.isInterface()) {
      throw new IllegalStateException("class is no message: " + raw.getName());
    }
    Set<String> fields = new TreeSet<>();
    message.getFields().forEach(field -> fields.add(field.getName()));
    Method[] methods = raw.getMethods();
    Arrays.sort(methods, (a, b) -> a.getName().compareTo(b.getName()));
    for (Method method : methods) {
      boolean isAccessor =
          method.getParameterCount() == 0 && !Modifier.isStatic(method.getModifiers());
      if (isAccessor && (!method.isDefault() || fields.contains(snake(method.getName())))) {
        accessors.put(method.getName(), method);
      }
    }
    return accessors;
  }

  private static Function<Object[], Object> maker(Class<?> raw, Set<String> names) {
    if (raw.isRecord()) {
      return maker(constructor(raw));
    }
    List<String> all = List.copyOf(names);
    Description<Object> made = new Description<>(raw.asSubclass(Object.class), List.of());
    return components -> {
      Map<String, Object> values = new HashMap<>();
      for (int i = 0; i < components.length; i++) {
        present(components[i], all.get(i), values);
      }
      return made.make(values);
    };
  }

  private static void present(Object component, String name, Map<String, Object> values) {
    Object value = component;
    if (component instanceof Optional<?> maybe) {
      value = maybe.orElse(null);
    } else if (component instanceof OptionalInt maybe) {
      value = maybe.isPresent() ? maybe.getAsInt() : null;
    }
    if (value != null) {
      values.put(name, value);
    }
  }

  private static Function<Object[], Object> maker(Constructor<?> constructor) {
    return components -> {
      try {
        return constructor.newInstance(components);
      } catch (InvocationTargetException e) {
        if (e.getCause() instanceof RuntimeException thrown) {
          throw thrown;
        }
        throw new IllegalStateException("record refused: " + constructor, e.getCause());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("record cannot be made: " + constructor, e);
      }
    };
  }

  private static Constructor<?> constructor(Class<?> record) {
    Class<?>[] types =
        Arrays.stream(record.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      return record.getDeclaredConstructor(types);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("record has no constructor: " + record.getName(), e);
    }
  }

  private static MethodHandle getter(Method accessor) {
    try {
      return MethodHandles.lookup()
          .unreflect(accessor)
          .asType(MethodType.methodType(Object.class, Object.class));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("accessor cannot be called: " + accessor, e);
    }
  }

  private FieldDescriptor field(
      Descriptor message, String name, Type type, Map<String, Type> arguments) {
    Class<?> value = raw(value(type), arguments);
    Scalars.Scalar<?> scalar = Scalars.find(value);
    String unit = scalar == null ? "" : scalar.unit();
    FieldDescriptor field = message.findFieldByName(snake(name) + unit);
    if (field == null) {
      throw unfit(value, message, "no field " + snake(name) + unit);
    }
    if (scalar != null && !field.isMapField() && field.getType() != scalar.type()) {
      throw unfit(value, message, field.getName() + " is not of type " + scalar.type());
    }
    return field;
  }

  /** Returns the type of the single values of a component. */
  private static Type value(Type type) {
    if (type instanceof ParameterizedType generic) {
      Class<?> raw = (Class<?>) generic.getRawType();
      if (raw == Optional.class || raw == List.class || raw == Set.class) {
        return generic.getActualTypeArguments()[0];
      }
    }
    return type == OptionalInt.class ? int.class : type;
  }

  private FieldCodec component(Type type, FieldDescriptor field, Map<String, Type> arguments) {
    Class<?> raw = raw(type, arguments);
    if (raw == Map.class) {
      Type[] types = ((ParameterizedType) type).getActualTypeArguments();
      List<FieldDescriptor> entry = field.getMessageType().getFields();
      return new FieldCodec.Mapped(
          field,
          plain(value(types[0], entry.get(0), arguments)),
          plain(value(types[1], entry.get(1), arguments)));
    }
    ValueCodec<Object> codec = plain(value(value(type), field, arguments));
    boolean isMaybe = raw == Optional.class || raw == OptionalInt.class;
    boolean isRepeated = raw == List.class || raw == Set.class;
    if (field.isRepeated() != isRepeated || isMaybe && !field.hasPresence()) {
      throw unfit(
          raw, field.getContainingType(), field.getName() + " has another number of values");
    }
    if (isMaybe) {
      return new FieldCodec.Maybe(field, codec, raw == OptionalInt.class);
    }
    return isRepeated
        ? new FieldCodec.Repeated(field, codec, raw == Set.class)
        : new FieldCodec.Single(field, codec);
  }

  private ValueCodec<?> value(Type type, FieldDescriptor field, Map<String, Type> arguments) {
    Class<?> raw = raw(type, arguments);
    Scalars.Scalar<?> scalar = Scalars.find(raw);
    if (scalar != null) {
      return scalar.codec();
    }
    if (field.getType() != FieldDescriptor.Type.MESSAGE) {
      throw unfit(raw, field.getContainingType(), field.getName() + " is no message");
    }
    return message(type, field.getMessageType(), arguments);
  }

  @SuppressWarnings("unchecked") // its values are what the component has
  private static <T extends ValueCodec<Object>> T plain(ValueCodec<?> codec) {
    return (T) codec;
  }

  private static Class<?> raw(Type type, Map<String, Type> arguments) {
    if (type instanceof Class<?> it) {
      return it;
    }
    if (type instanceof ParameterizedType generic) {
      return (Class<?>) generic.getRawType();
    }
    if (type instanceof TypeVariable<?> variable) {
      return raw(arguments.getOrDefault(variable.getName(), byte[].class), Map.of());
    }
    return byte[].class; // An array of a generic type; users' values are bytes here.
  }

  /** Returns what the type is generic in, with the types of what it is part of in place. */
  private static Map<String, Type> own(Type type, Class<?> raw, Map<String, Type> arguments) {
    if (!(type instanceof ParameterizedType generic)) {
      return raw.getTypeParameters().length == 0 ? Map.of() : arguments;
    }
    Map<String, Type> own = new HashMap<>();
    for (int i = 0; i < raw.getTypeParameters().length; i++) {
      Type argument = generic.getActualTypeArguments()[i];
      own.put(
          raw.getTypeParameters()[i].getName(),
          argument instanceof ParameterizedType ? argument : raw(argument, arguments));
    }
    return own;
  }

  private static void refuseRest(Class<?> raw, Descriptor message, List<FieldDescriptor> used) {
    for (FieldDescriptor field : message.getFields()) {
      if (!used.contains(field)) {
        throw unfit(raw, message, "nothing is in field " + field.getName());
      }
    }
  }

  private static IllegalStateException unfit(Class<?> raw, Descriptor message, String why) {
    return new IllegalStateException(
        "class and message do not fit: class="
            + raw.getName()
            + ", message="
            + message.getFullName()
            + ": "
            + why);
  }

  /** Returns the name of a component, or of a class, as that of a field. */
  static String snake(String name) {
    StringBuilder snake = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (Character.isUpperCase(c) && i > 0) {
        snake.append('_');
      }
      snake.append(c);
    }
    return snake.toString().toLowerCase(Locale.ROOT);
  }
}
