package io.millrace.describe;

import io.millrace.describe.Description.Attribute;
import io.millrace.describe.Description.Each;
import io.millrace.describe.Description.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.openmbean.ArrayType;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularData;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;
import org.jspecify.annotations.Nullable;

/** Described objects as open data of JMX, which others read without our classes, and back. */
public final class OpenData {

  private static final String KEY = "key";
  private static final String VALUE = "value";

  private OpenData() {}

  /** Turns counts by name into open data: a table of rows of a key and a value. */
  public static TabularData write(Map<String, Long> counts) {
    try {
      return writeMap(counts, table(false));
    } catch (OpenDataException e) {
      throw new IllegalStateException("open data cannot be made of counts", e);
    }
  }

  /** Turns an object into open data: an item for each attribute, null if it has no value. */
  public static <T> CompositeData write(Description<T> description, T object) {
    try {
      return write(description, object, type(description));
    } catch (OpenDataException e) {
      throw new IllegalStateException("open data cannot be made: " + description.type(), e);
    }
  }

  /** Turns objects into open data, one after the other. */
  public static <T> CompositeData[] write(Description<T> description, List<T> objects) {
    return objects.stream().map(each -> write(description, each)).toArray(CompositeData[]::new);
  }

  /**
   * Reads the object that open data describe.
   *
   * @throws UnknownValueException the data are of another version, and have a value that is not
   *     known here or lack one that is needed
   */
  public static <T> T read(Description<T> description, CompositeData data) {
    Map<String, Object> values = new HashMap<>();
    for (Attribute<T, ?> attribute : description.attributes()) {
      Object value = read(attribute.form(), attribute.item(), data);
      if (value != null) {
        values.put(attribute.accessor(), value);
      }
    }
    return description.make(values);
  }

  private static CompositeType type(Description<?> description) throws OpenDataException {
    Map<String, OpenType<?>> items = new LinkedHashMap<>();
    addItems(description, items);
    String[] names = items.keySet().toArray(String[]::new);
    String name = description.type().getName();
    return new CompositeType(name, name, names, names, items.values().toArray(OpenType<?>[]::new));
  }

  private static void addItems(Description<?> description, Map<String, OpenType<?>> items)
      throws OpenDataException {
    for (Attribute<?, ?> attribute : description.attributes()) {
      if (attribute.form() instanceof Spread<?> spread) {
        addItems(spread.part(), items);
      } else {
        items.put(attribute.item(), type(attribute.form()));
      }
    }
  }

  private static OpenType<?> type(Form<?> form) throws OpenDataException {
    if (form instanceof Description<?> part) {
      return type(part);
    }
    if (form instanceof Each<?> each) {
      return new ArrayType<CompositeData[]>(1, type(each.element()));
    }
    Class<?> sent = ((Kind<?>) form).sent();
    if (sent == byte[].class) {
      return new ArrayType<byte[]>(SimpleType.BYTE, true);
    }
    if (sent == long[].class) {
      return new ArrayType<long[]>(SimpleType.LONG, true);
    }
    if (sent == String[].class) {
      return new ArrayType<String[]>(1, SimpleType.STRING);
    }
    return sent == Map.class ? table(form == Kind.NAMED_TEXTS) : simple(sent);
  }

  private static OpenType<?> simple(Class<?> sent) {
    return List.of(
            SimpleType.STRING,
            SimpleType.INTEGER,
            SimpleType.LONG,
            SimpleType.DOUBLE,
            SimpleType.BOOLEAN)
        .stream()
        .filter(type -> type.getClassName().equals(sent.getName()))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the type of a table with rows of a key and a value, as MXBeans have maps. */
  private static TabularType table(boolean isOfTexts) throws OpenDataException {
    OpenType<?> value = isOfTexts ? SimpleType.STRING : SimpleType.LONG;
    String[] items = {KEY, VALUE};
    CompositeType row =
        new CompositeType("row", "row", items, items, new OpenType<?>[] {SimpleType.STRING, value});
    return new TabularType("map", "map", row, new String[] {KEY});
  }

  private static <T> CompositeData write(Description<T> description, T object, CompositeType type)
      throws OpenDataException {
    Map<String, @Nullable Object> items = new HashMap<>();
    type.keySet().forEach(item -> items.put(item, null));
    putItems(description, object, type, items);
    return new CompositeDataSupport(type, items);
  }

  private static <T> void putItems(
      Description<T> description, T object, CompositeType type, Map<String, @Nullable Object> items)
      throws OpenDataException {
    for (Attribute<T, ?> attribute : description.attributes()) {
      putItem(attribute, object, type, items);
    }
  }

  private static <T, V> void putItem(
      Attribute<T, V> attribute, T object, CompositeType type, Map<String, @Nullable Object> items)
      throws OpenDataException {
    V value = attribute.getter().apply(object);
    if (value == null) {
      return;
    }
    if (attribute.form() instanceof Spread<V> spread) {
      putItems(spread.part(), value, type, items);
    } else {
      items.put(attribute.item(), write(attribute.form(), value, type.getType(attribute.item())));
    }
  }

  private static <V> Object write(Form<V> form, V value, OpenType<?> type)
      throws OpenDataException {
    if (form instanceof Description<V> part) {
      return write(part, value, (CompositeType) type);
    }
    if (form instanceof Each<?> each) {
      return writeEach(
          each, (List<?>) value, (CompositeType) ((ArrayType<?>) type).getElementOpenType());
    }
    Object sent = ((Kind<V>) form).send().apply(value);
    return sent instanceof Map<?, ?> map ? writeMap(map, (TabularType) type) : sent;
  }

  @SuppressWarnings("unchecked") // the values of a list of described ones are such
  private static <E> CompositeData[] writeEach(Each<E> each, List<?> values, CompositeType type)
      throws OpenDataException {
    List<CompositeData> all = new ArrayList<>();
    for (Object value : values) {
      all.add(write(each.element(), (E) value, type));
    }
    return all.toArray(CompositeData[]::new);
  }

  private static TabularData writeMap(Map<?, ?> map, TabularType type) throws OpenDataException {
    TabularData table = new TabularDataSupport(type);
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      Map<String, ?> row = Map.of(KEY, entry.getKey(), VALUE, entry.getValue());
      table.put(new CompositeDataSupport(type.getRowType(), row));
    }
    return table;
  }

  private static @Nullable Object read(Form<?> form, String item, CompositeData data) {
    if (form instanceof Spread<?> spread) {
      return isThere(spread.part(), data) ? read(spread.part(), data) : null;
    }
    Object sent = data.containsKey(item) ? data.get(item) : null;
    if (sent == null) {
      return null;
    }
    if (form instanceof Description<?> part) {
      return read(part, (CompositeData) sent);
    }
    if (form instanceof Each<?> each) {
      return Arrays.stream((CompositeData[]) sent)
          .map(element -> (Object) read(each.element(), element))
          .toList();
    }
    try {
      return ((Kind<?>) form)
          .receive()
          .apply(sent instanceof TabularData table ? map(table) : sent);
    } catch (IllegalArgumentException | ClassCastException e) {
      throw new UnknownValueException(item + "=" + sent);
    }
  }

  /**
   * Tells whether a spread object has a value for any attribute; otherwise the object is missing.
   */
  private static boolean isThere(Description<?> part, CompositeData data) {
    return part.attributes().stream()
        .map(Attribute::item)
        .anyMatch(item -> data.containsKey(item) && data.get(item) != null);
  }

  private static Map<String, Object> map(TabularData table) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (Object row : table.values()) {
      CompositeData entry = (CompositeData) row;
      map.put((String) entry.get(KEY), entry.get(VALUE));
    }
    return map;
  }
}
