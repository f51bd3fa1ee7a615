package io.millrace.jmh.growth;

import io.millrace.jmh.load.GrowthRun;

/** What was measured at a point of a curve. */
public record Measured(Curve curve, int amount, GrowthRun.Result result) {}
