package io.millrace.spring.sample;

/** A mail to be sent. */
public record Mail(String to, String text) {}
