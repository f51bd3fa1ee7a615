package io.millrace.model.linear;

/** How a call may end: with this answer, in this state. */
record Outcome(SpecState state, Object answer) {}
