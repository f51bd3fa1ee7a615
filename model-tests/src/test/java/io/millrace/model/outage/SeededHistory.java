package io.millrace.model.outage;

import java.util.List;

/** What a seed stands for. */
record SeededHistory(long seed, SeededSetup setup, List<SeededStep> steps) {

  SeededHistory withSteps(List<SeededStep> others) {
    return new SeededHistory(seed, setup, others);
  }
}
