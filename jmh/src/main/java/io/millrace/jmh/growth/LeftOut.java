package io.millrace.jmh.growth;

/** A point of a curve that is not measured, and why. */
public record LeftOut(Curve curve, int amount, String reason) {}
