package io.millrace.jmh.growth;

import io.millrace.jmh.load.GrowthRun;

/** A point of a curve, and the measurements there. */
public record Measured(Curve curve, int amount, GrowthRun.Result result) {}
