package io.millrace.protocol;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An object with a field for each of its components. */
final class ObjectCodec<T> extends MessageCodec<T> {

  private static final int NONE = -1;

  /**
   * A component.
   *
   * @param getter takes the object, returns the component
   */
  record Component(FieldCodec codec, MethodHandle getter) {

    private Object of(Object object) {
      try {
        return getter.invokeExact(object);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("accessor failed: " + codec.field.getFullName(), e);
      }
    }
  }

  private final Function<Object[], T> maker;
  private final UnknownFields unknown;
  private Component[] components = {};

  /** The places of the components by the numbers of their fields, {@link #NONE} between them. */
  private int[] places = {};

  /**
   * Creates the codec of objects that are made of all of their components.
   *
   * @param maker makes an object of its components, in the order of {@link #components}
   */
  ObjectCodec(Function<Object[], T> maker, UnknownFields unknown) {
    this.maker = maker;
    this.unknown = unknown;
  }

  /** Sets the components, which may contain objects of the same type. Called once, at first. */
  void components(List<Component> all) {
    components = all.toArray(Component[]::new);
    int last = all.stream().mapToInt(each -> each.codec.field.getNumber()).max().orElse(0);
    places = new int[last + 1];
    Arrays.fill(places, NONE);
    for (int i = 0; i < components.length; i++) {
      places[components[i].codec.field.getNumber()] = i;
    }
  }

  @Override
  void writeFields(MessageWriter out, T value) {
    for (Component component : components) {
      component.codec.write(out, component.of(value));
    }
  }

  @Override
  T readFields(CodedInputStream in) throws IOException {
    @Nullable Object[] read = new @Nullable Object[components.length];
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int number = WireFormat.getTagFieldNumber(tag);
      int place = number < places.length ? places[number] : NONE;
      if (place == NONE) {
        unknown.pass(in, tag);
      } else {
        read[place] = read(components[place].codec, in, read[place]);
      }
    }
    for (int i = 0; i < read.length; i++) {
      if (read[i] == null) {
        read[i] = absent(components[i].codec);
      }
    }
    return maker.apply(read);
  }

  private static Object read(FieldCodec codec, CodedInputStream in, @Nullable Object before)
      throws IOException {
    try {
      return codec.read(in, before);
    } catch (IllegalArgumentException e) {
      throw wrong(codec, e);
    }
  }

  private static Object absent(FieldCodec codec) {
    try {
      return codec.absent();
    } catch (IllegalArgumentException e) {
      throw wrong(codec, e);
    }
  }

  /** Returns the fields without which the message is refused. */
  List<FieldDescriptor> needed() {
    return Arrays.stream(components)
        .map(Component::codec)
        .filter(ObjectCodec::isNeeded)
        .map(codec -> codec.field)
        .toList();
  }

  private static boolean isNeeded(FieldCodec codec) {
    try {
      codec.absent();
      return false;
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  private static IllegalArgumentException wrong(FieldCodec codec, IllegalArgumentException why) {
    return new IllegalArgumentException(codec.field.getJsonName() + ": " + why.getMessage(), why);
  }
}
