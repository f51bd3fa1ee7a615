package io.millrace.protocol;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The messages of a session, in which a client has many calls under way at a time. */
public final class Session {

  /**
   * A message of a client.
   *
   * @param hello in the first message of a stream
   * @param ended the calls that nobody waits for any more
   * @param received the calls whose answers came
   * @param goodbye whether no more calls come
   * @param held how many leases the client holds, if that is news
   */
  public record Calls(
      Optional<Hello> hello,
      List<SentCall> calls,
      List<Long> ended,
      List<Long> received,
      boolean goodbye,
      OptionalInt held) {

    /** Creates a message without news of leases. */
    public Calls(
        Optional<Hello> hello,
        List<SentCall> calls,
        List<Long> ended,
        List<Long> received,
        boolean goodbye) {
      this(hello, calls, ended, received, goodbye, OptionalInt.empty());
    }

    /** Creates a message with nothing but how many leases the client holds. */
    public static Calls holding(int leaseCount) {
      return new Calls(
          Optional.empty(), List.of(), List.of(), List.of(), false, OptionalInt.of(leaseCount));
    }

    /**
     * Makes what the client sent of its message.
     *
     * @throws IllegalArgumentException the bytes are no such message, or a field has a wrong value
     */
    public static Calls decode(byte[] message) {
      return Protocol.sessionCalls().decode(message);
    }

    public byte[] encode() {
      return Protocol.sessionCalls().encode(this);
    }
  }

  /**
   * The identity of a client.
   *
   * @param client a name by chance that nobody else can guess
   * @param described the host and the process, for people
   * @param version the version of Millrace that the client has; empty if it does not say
   */
  public record Hello(String client, String described, String version) {}

  /**
   * A call as it is sent.
   *
   * @param operation the name of the operation
   * @param request the message of the operation
   */
  public record SentCall(long id, String operation, byte[] request) {}

  /**
   * A message of a server.
   *
   * @param welcome in the first message of a stream
   */
  public record Answers(Optional<Welcome> welcome, List<Answer> answers) {

    /**
     * Makes what the server sent of its message.
     *
     * @throws IllegalArgumentException the bytes are no such message, or a field has a wrong value
     */
    public static Answers decode(byte[] message) {
      return Protocol.sessionAnswers().decode(message);
    }

    public byte[] encode() {
      return Protocol.sessionAnswers().encode(this);
    }
  }

  /**
   * The first words of a server.
   *
   * @param isKnown whether the server remembers the calls of the client
   * @param callCountMax the most calls that are under way, or whose answers were not received
   */
  public record Welcome(boolean isKnown, int callCountMax) {}

  /** The answer to a call: its response, or why it failed. */
  public record Answer(long id, Optional<byte[]> response, Optional<Failure> failure) {}

  /**
   * A reason why a call failed.
   *
   * @param error the name of the exception, without its last word
   */
  public record Failure(String error, String message) {}

  private Session() {}
}
