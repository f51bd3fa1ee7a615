package io.millrace.engine.jmx;

/**
 * A bean that is seen through JMX, with the name and shape in which it is seen.
 *
 * @param type the key {@code type} of its object name
 * @param name the key {@code name}; others of the type may have the same
 * @param shape the interface of the bean that tools see
 */
public record VisibleBean<T>(String type, String name, Class<T> shape, T bean) {}
