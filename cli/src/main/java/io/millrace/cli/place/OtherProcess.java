package io.millrace.cli.place;

import io.millrace.api.CorruptDataException;
import io.millrace.cli.text.Reason;
import io.millrace.describe.Description;
import io.millrace.describe.Kind;
import io.millrace.describe.OpenData;
import io.millrace.describe.UnknownValueException;
import io.millrace.spi.StoreFullException;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.function.Supplier;
import javax.management.InstanceNotFoundException;
import javax.management.openmbean.CompositeData;

/**
 * A process whose engine or worker is asked. Turns everything that can go wrong on the way there
 * and back into a sentence.
 */
record OtherProcess(long pid, Whom whom) {

  /** The part of the process that is asked. */
  enum Whom {
    ENGINE("engine", "closed"),
    WORKER("worker", "stopped");

    private final String noun;
    private final String ended;

    Whom(String noun, String ended) {
      this.noun = noun;
      this.ended = ended;
    }
  }

  /**
   * Returns the answer.
   *
   * @throws AttachException there is none, and why
   * @throws CorruptDataException the engine met a damaged row
   * @throws StoreFullException the engine's store is full
   */
  <T> T ask(Supplier<T> question) {
    try {
      return question.get();
    } catch (UndeclaredThrowableException e) {
      throw unreachable(e.getUndeclaredThrowable());
    } catch (IllegalStateException e) {
      throw ours(e);
    } catch (IllegalArgumentException e) {
      throw new AttachException(
          "the " + whom.noun + " refuses that: pid=" + pid + ", reason=" + Reason.root(e), e);
    }
  }

  /** Makes a call that has no answer; see {@link #ask}. */
  void run(Runnable act) {
    ask(
        () -> {
          act.run();
          return true;
        });
  }

  /**
   * Returns the constant of the API that the engine's word stands for.
   *
   * @throws AttachException this command line does not know the word
   */
  static <E extends Enum<E>> E word(Class<E> kind, String told) {
    return known(() -> Kind.constant(kind).receive().apply(told));
  }

  /**
   * Reads the engine's answer as an object of the API.
   *
   * @throws AttachException this command line does not know the answer
   */
  static <T> T read(Description<T> description, CompositeData told) {
    return known(() -> OpenData.read(description, told));
  }

  private static <T> T known(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (UnknownValueException e) {
      AttachException unknown = unknown(String.valueOf(e.getMessage()));
      unknown.initCause(e);
      throw unknown;
    }
  }

  /** Returns the error for an answer that this command line does not know. */
  static AttachException unknown(String answer) {
    return new AttachException(
        "the engine answers what this command line does not know, use that of its version: "
            + answer);
  }

  /**
   * Returns the error for a call that did not reach the engine or worker, or whose answer did not
   * come back.
   */
  AttachException unreachable(Throwable thrown) {
    if (thrown instanceof IOException) {
      return new AttachException(
          "the process has ended, or does not answer any more: pid=" + pid, thrown);
    }
    if (thrown instanceof InstanceNotFoundException) {
      return new AttachException(
          "the process has " + whom.ended + " its " + whom.noun + ": pid=" + pid, thrown);
    }
    return new AttachException(
        "the "
            + whom.noun
            + " does not know the question, use the command line of its version: pid="
            + pid
            + ", reason="
            + Reason.root(thrown),
        thrown);
  }

  /** Returns the failure as a command meets it that has opened the store itself. */
  private static RuntimeException ours(IllegalStateException told) {
    String message = String.valueOf(told.getMessage());
    int colon = message.indexOf(": ");
    String kind = colon < 0 ? "" : message.substring(0, colon);
    String text = message.substring(colon < 0 ? 0 : colon + 2);
    return switch (kind) {
      case "CorruptDataException" -> new CorruptDataException(text, told);
      case "StoreFullException" -> new StoreFullException(text, told);
      default -> new AttachException(text, told);
    };
  }
}
