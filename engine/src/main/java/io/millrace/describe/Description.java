package io.millrace.describe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that an object of the API has, in the order in which they are told.
 *
 * @param type the type of the objects: an interface of accessors, a record, or a map by name
 */
public record Description<T>(Class<? super T> type, List<Attribute<T, ?>> attributes)
    implements Form<T> {

  /**
   * An attribute.
   *
   * @param accessor the name of the API's accessor
   * @param item its name where it is sent, with its unit; unused if its form is a {@link Spread}
   * @param told its name where it is told, with its unit; empty if it is only sent
   * @param form the form of its values
   * @param getter returns its value; null if there is none
   */
  public record Attribute<T, V>(
      String accessor, String item, String told, Form<V> form, Function<T, @Nullable V> getter) {

    private Attribute<T, V> as(String newItem, String newTold) {
      return new Attribute<>(accessor, newItem, newTold, form, getter);
    }
  }

  /**
   * A list of objects, each in the form of its description.
   *
   * @param isToldIfEmpty whether the list is told also if it is empty
   */
  public record Each<V>(Description<V> element, boolean isToldIfEmpty) implements Form<List<V>> {}

  /** An object whose attributes are told as if they were those of the object that it belongs to. */
  public record Spread<V>(Description<V> part) implements Form<V> {}

  /** A description that is being put together. */
  public static final class Builder<T> {

    private final Class<? super T> type;
    private final List<Attribute<T, ?>> attributes = new ArrayList<>();

    private Builder(Class<? super T> type) {
      this.type = type;
    }

    /** Adds an attribute that every object has, named as its accessor. */
    public <V> Builder<T> with(String accessor, Form<V> form, Function<T, @Nullable V> getter) {
      Kind<V> kind = form instanceof Kind<V> it ? it : null;
      attributes.add(
          new Attribute<>(
              accessor,
              accessor + (kind == null ? "" : kind.sentUnit()),
              accessor + (kind == null ? "" : kind.toldUnit()),
              form,
              getter));
      return this;
    }

    /** Adds an attribute that some objects have. */
    public <V> Builder<T> maybe(String accessor, Form<V> form, Function<T, Optional<V>> getter) {
      return with(accessor, form, object -> getter.apply(object).orElse(null));
    }

    /** Renames the attribute that was added last, where it is sent and where it is told. */
    public Builder<T> as(String item, String told) {
      int last = attributes.size() - 1;
      attributes.set(last, attributes.get(last).as(item, told));
      return this;
    }

    /** Renames the attribute that was added last where it is told. */
    public Builder<T> told(String name) {
      return as(attributes.get(attributes.size() - 1).item(), name);
    }

    /** Hides the attribute that was added last where objects are told: it is only sent. */
    public Builder<T> untold() {
      return told("");
    }

    public Description<T> build() {
      return new Description<>(type, List.copyOf(attributes));
    }
  }

  /** Begins a description of objects of this type. */
  public static <T> Builder<T> of(Class<? super T> type) {
    return new Builder<>(type);
  }

  /** Returns the form of a list of such objects. */
  public Each<T> each() {
    return new Each<>(this, true);
  }

  /** Returns the form of a list of such objects that is not told if it is empty. */
  public Each<T> eachIfAny() {
    return new Each<>(this, false);
  }

  /**
   * Returns the form of such an object whose attributes are told as those of the object to which it
   * belongs.
   */
  public Spread<T> spread() {
    return new Spread<>(this);
  }

  /**
   * Makes the object that has these values.
   *
   * @param values by accessors; an object may lack those that are optional
   * @throws UnknownValueException a value is missing that every object has
   */
  @SuppressWarnings("unchecked") // the type is that of T, or T's without what it is generic in
  public T make(Map<String, Object> values) {
    return (T) ApiObject.of(type, values);
  }
}
