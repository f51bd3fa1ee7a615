package io.millrace.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;

/**
 * The names of attributes: those of the conventions for messaging, or Millrace's own where a
 * program has not opted in. Names that both have are constants.
 */
enum Names {
  MESSAGING(
      "messaging.destination.name",
      "messaging.message.id",
      "messaging.client.id",
      "messaging.message.body.size",
      "messaging.batch.message_count"),
  OWN(
      "millrace.queue",
      "millrace.job.id",
      "millrace.worker",
      "millrace.payload.size",
      "millrace.job.count");

  static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
  static final AttributeKey<String> OPERATION = AttributeKey.stringKey("messaging.operation.name");
  static final AttributeKey<String> OPERATION_TYPE =
      AttributeKey.stringKey("messaging.operation.type");
  static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

  static final AttributeKey<String> TENANT = AttributeKey.stringKey("millrace.tenant");
  static final AttributeKey<String> TYPE = AttributeKey.stringKey("millrace.type");
  static final AttributeKey<Long> PRIORITY = AttributeKey.longKey("millrace.priority");
  static final AttributeKey<String> ENQUEUED = AttributeKey.stringKey("millrace.enqueued");
  static final AttributeKey<Long> REFUSED = AttributeKey.longKey("millrace.refused");
  static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("millrace.attempt");
  static final AttributeKey<String> WAKE = AttributeKey.stringKey("millrace.wake");
  static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("millrace.outcome");

  final AttributeKey<String> queue;
  final AttributeKey<String> jobId;
  final AttributeKey<String> worker;
  final AttributeKey<Long> payloadBytes;
  final AttributeKey<Long> jobCount;

  Names(String queue, String jobId, String worker, String payloadBytes, String jobCount) {
    this.queue = AttributeKey.stringKey(queue);
    this.jobId = AttributeKey.stringKey(jobId);
    this.worker = AttributeKey.stringKey(worker);
    this.payloadBytes = AttributeKey.longKey(payloadBytes);
    this.jobCount = AttributeKey.longKey(jobCount);
  }
}
