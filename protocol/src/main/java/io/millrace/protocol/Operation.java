package io.millrace.protocol;

import com.google.protobuf.DescriptorProtos.MethodOptions.IdempotencyLevel;
import com.google.protobuf.Descriptors.MethodDescriptor;

/**
 * An operation of the protocol: what is asked, and what is answered. Any thread.
 *
 * @param <C> the call
 * @param <A> the answer
 */
public final class Operation<C extends Call<A>, A> {

  private final Class<C> call;
  private final MethodDescriptor method;
  private final MessageCodec<C> calls;
  private final MessageCodec<A> answers;

  Operation(
      Class<C> call, MethodDescriptor method, MessageCodec<C> calls, MessageCodec<A> answers) {
    this.call = call;
    this.method = method;
    this.calls = calls;
    this.answers = answers;
  }

  /** Returns the name of the operation, which is that of the call's class. */
  public String name() {
    return method.getName();
  }

  public Class<C> call() {
    return call;
  }

  /** Returns the description of the operation and its messages. */
  public MethodDescriptor method() {
    return method;
  }

  /**
   * Tells whether the call may be carried out once more when nobody knows whether it happened: its
   * second answer is that of the first, or says that the lease is stale.
   */
  public boolean isRepeatable() {
    return method.getOptions().getIdempotencyLevel() != IdempotencyLevel.IDEMPOTENCY_UNKNOWN;
  }

  public byte[] encode(C asked) {
    return calls.encode(asked);
  }

  /**
   * Makes the call of its message.
   *
   * @throws IllegalArgumentException the bytes are no such message, a field has a wrong value, or
   *     is not known here
   */
  public C decode(byte[] request) {
    return calls.decode(request);
  }

  public byte[] encodeAnswer(A answer) {
    return answers.encode(answer);
  }

  /**
   * Makes the answer of its message, without the fields that are not known here.
   *
   * @throws IllegalArgumentException the bytes are no such message, or a field has a wrong value
   */
  public A decodeAnswer(byte[] response) {
    return answers.decode(response);
  }
}
