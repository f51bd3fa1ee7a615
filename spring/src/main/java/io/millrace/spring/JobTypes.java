package io.millrace.spring;

import io.millrace.api.Codec;
import io.millrace.api.JobType;
import java.lang.reflect.Type;
import java.util.Objects;
import org.springframework.core.ParameterizedTypeReference;

/**
 * Types of jobs with the payloads of this application: JSON by its own mapper, so that producers
 * write what {@link JobHandler} methods read. Texts and bytes are written as they are. A bean; any
 * thread may use it.
 *
 * <pre>{@code
 * @Bean
 * JobType<Mail> mail(JobTypes types) {
 *   return types.of("mail", Mail.class).defaults(options -> options.maxAttempts(9));
 * }
 * }</pre>
 */
public final class JobTypes {

  private final PayloadCodecs codecs;

  /** Creates the types; these codecs are asked for whatever is neither a text nor bytes. */
  public JobTypes(PayloadCodecs codecs) {
    this.codecs = Objects.requireNonNull(codecs, "codecs");
  }

  /**
   * Returns a type of jobs in the queue of the same name.
   *
   * @throws IllegalArgumentException there is no codec for the payload, or as {@link JobType#of}
   */
  public <T> JobType<T> of(String name, Class<T> payload) {
    return JobType.of(name, codec(payload));
  }

  /**
   * Returns a type of jobs whose payload has a generic type, as in {@code new
   * ParameterizedTypeReference<List<Mail>>() {}}.
   *
   * @throws IllegalArgumentException there is no codec for the payload, or as {@link JobType#of}
   */
  public <T> JobType<T> of(String name, ParameterizedTypeReference<T> payload) {
    return JobType.of(name, codec(payload));
  }

  /**
   * Returns the codec of a class, for results, tables and checkpoints.
   *
   * @throws IllegalArgumentException values of this class cannot be written
   */
  @SuppressWarnings("unchecked") // the codec of a class is of its values
  public <T> Codec<T> codec(Class<T> type) {
    return (Codec<T>) codecOf(type);
  }

  /**
   * Returns the codec of a generic type.
   *
   * @throws IllegalArgumentException values of this type cannot be written
   */
  @SuppressWarnings("unchecked") // the codec of a type is of its values
  public <T> Codec<T> codec(ParameterizedTypeReference<T> type) {
    return (Codec<T>) codecOf(type.getType());
  }

  /**
   * Returns the codec of a type that is known at run time alone.
   *
   * @throws IllegalArgumentException values of this type cannot be written
   */
  public Codec<?> codecOf(Type type) {
    if (type == String.class) {
      return Codec.TEXT;
    }
    return type == byte[].class ? Codec.BYTES : codecs.of(type);
  }
}
