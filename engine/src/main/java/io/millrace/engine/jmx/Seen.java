package io.millrace.engine.jmx;

/**
 * What is seen through JMX, and as what.
 *
 * @param type the key {@code type} of its object name
 * @param name the key {@code name}; others of the type may have the same
 * @param shape which of the interfaces of the bean tools see
 */
public record Seen<T>(String type, String name, Class<T> shape, T bean) {}
