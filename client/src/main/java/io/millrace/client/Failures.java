package io.millrace.client;

import io.millrace.MillraceException;
import io.millrace.api.BatchId;
import io.millrace.api.BatchOverException;
import io.millrace.api.CodecException;
import io.millrace.api.CorruptDataException;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.EnginePoisonedException;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.LeaseLostException;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.NotAllowedException;
import io.millrace.api.NotDoneException;
import io.millrace.api.NotOwnerException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.spi.FormatVersionException;
import io.millrace.spi.StoreBusyException;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreUnavailableException;
import io.millrace.spi.ViewEndedException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The exceptions that a server tells of, by the names that it tells. */
final class Failures {

  private static final Pattern BATCH = Pattern.compile("\\bid=([0-9a-f]{16})\\b");

  private static final Map<String, Function<String, RuntimeException>> BY_KIND = new HashMap<>();

  static {
    add(IllegalArgumentException.class, IllegalArgumentException::new);
    add(IllegalStateException.class, IllegalStateException::new);
    add(CancellationException.class, CancellationException::new);
    add(MillraceException.class, MillraceException::new);
    add(BatchOverException.class, message -> new BatchOverException(batch(message)));
    add(CodecException.class, CodecException::new);
    add(CorruptDataException.class, CorruptDataException::new);
    add(EngineClosedException.class, EngineClosedException::new);
    add(EngineOverloadedException.class, EngineOverloadedException::new);
    add(EnginePoisonedException.class, message -> new EnginePoisonedException(message, null));
    add(EnqueueRefusedException.class, EnqueueRefusedException::new);
    add(LeaseLostException.class, LeaseLostException::new);
    add(NoSuchBatchException.class, message -> new NoSuchBatchException(batch(message)));
    add(NoSuchListeningException.class, NoSuchListeningException::new);
    add(NotAllowedException.class, NotAllowedException::new);
    add(NotDoneException.class, NotDoneException::new);
    add(NotOwnerException.class, message -> new NotOwnerException(message, null));
    add(OutcomeUnknownException.class, OutcomeUnknownException::new);
    add(FormatVersionException.class, FormatVersionException::new);
    add(StoreException.class, StoreException::new);
    add(StoreBusyException.class, StoreBusyException::new);
    add(StoreClosedException.class, StoreClosedException::new);
    add(StoreCorruptException.class, StoreCorruptException::new);
    add(StoreFailedException.class, StoreFailedException::new);
    add(StoreFencedException.class, StoreFencedException::new);
    add(StoreFullException.class, StoreFullException::new);
    add(StoreLockedException.class, StoreLockedException::new);
    add(StoreUnavailableException.class, StoreUnavailableException::new);
    add(ViewEndedException.class, ViewEndedException::new);
  }

  private Failures() {}

  private static <E extends RuntimeException> void add(Class<E> type, Function<String, E> make) {
    BY_KIND.put(type.getSimpleName().replaceFirst("Exception$", ""), make::apply);
  }

  /**
   * Returns the exception that the server's engine threw.
   *
   * @param kind its name without the last word, as the server tells it
   * @return a {@link MillraceException} if the API has no exception for it: the server is of
   *     another version, or has a fault
   */
  static RuntimeException exception(String kind, String message) {
    Function<String, RuntimeException> make = BY_KIND.get(kind);
    if (make == null) {
      return new MillraceException(message);
    }
    try {
      return make.apply(message);
    } catch (IllegalArgumentException e) {
      return new MillraceException(message, e);
    }
  }

  /** Returns the id of the batch that the message tells of. */
  private static BatchId batch(String message) {
    Matcher matcher = BATCH.matcher(message);
    if (!matcher.find()) {
      throw new IllegalArgumentException("message names no batch: " + message);
    }
    return BatchId.parse(matcher.group(1));
  }
}
