package io.millrace.opentelemetry;

import io.opentelemetry.api.trace.SpanKind;

/** The operations that have spans, as they are called in names of spans and in attributes. */
enum Operation {
  ENQUEUE("enqueue", "send", SpanKind.PRODUCER),
  CLAIM("claim", "receive", SpanKind.CONSUMER),
  PROCESS("process", "process", SpanKind.CONSUMER),
  SETTLE("settle", "settle", SpanKind.CLIENT);

  /** The value of {@link Names#OPERATION}, the first word of a span's name. */
  final String word;

  /** The value of {@link Names#OPERATION_TYPE}. */
  final String type;

  final SpanKind kind;

  Operation(String word, String type, SpanKind kind) {
    this.word = word;
    this.type = type;
    this.kind = kind;
  }
}
