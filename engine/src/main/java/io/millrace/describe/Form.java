package io.millrace.describe;

/**
 * The form that a value of an attribute has outside of Java: a {@link Kind} of single values, a
 * {@link Description} of a value with attributes of its own, which is then a part of the whole, or
 * one of {@link Description.Each} and {@link Description.Spread}.
 */
public interface Form<V> {}
