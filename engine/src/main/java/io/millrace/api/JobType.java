package io.millrace.api;

import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The agreement between code that enqueues jobs and code that works on them: a name, the queue, the
 * codec of the payloads, and the default options of the jobs. It is usually a constant of the
 * program. Immutable, and thread-safe if its codec is.
 *
 * <pre>{@code
 * static final JobType<String> MAIL =
 *     JobType.of("mail", Codec.TEXT).defaults(options -> options.maxAttempts(9));
 *
 * engine.enqueue(MAIL, "ada@example.org");
 * }</pre>
 *
 * <p>The name is stored in each job ({@link EnqueueOptions#type}). It distinguishes jobs of several
 * types that share a queue, and must not change as long as there are jobs of the type. If the codec
 * has a {@linkplain Codec#contentType content type}, it is put into the header {@value
 * #CONTENT_TYPE}, unless the job has that header already.
 *
 * @param <T> type of the payloads
 */
public class JobType<T> {

  /** The name of the header for the content type of a payload. */
  public static final String CONTENT_TYPE = "content-type";

  private final String name;
  private final Codec<T> codec;
  private final QueueName queueName;
  private final EnqueueOptions options;

  JobType(JobType<T> other) {
    this(other.name, other.codec, other.queueName, other.options);
  }

  private JobType(String name, Codec<T> codec, QueueName queueName, EnqueueOptions options) {
    this.name = name;
    this.codec = codec;
    this.queueName = queueName;
    this.options = options;
  }

  /**
   * Returns a type whose jobs are in the queue of the same name, of the default tenant, with the
   * default options.
   *
   * @param name 1 to {@value Limits#NAME_BYTES_MAX} bytes of UTF-8
   * @throws IllegalArgumentException the name is out of its range, or is not valid Unicode; or the
   *     content type of the codec is too long for a header
   */
  public static <T> JobType<T> of(String name, Codec<T> codec) {
    Objects.requireNonNull(codec, "codec");
    EnqueueOptions options = EnqueueOptions.DEFAULT.type(name);
    String contentType = codec.contentType().orElse(null);
    return new JobType<>(
        name,
        codec,
        QueueName.of(name),
        contentType == null ? options : options.header(CONTENT_TYPE, contentType));
  }

  /**
   * Returns this type with its jobs in another queue, which several types may share.
   *
   * @throws IllegalArgumentException the name has not 1 to {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8, or is not valid Unicode
   */
  public JobType<T> queue(String value) {
    return with(new QueueName(value, queueName.tenant()), options);
  }

  /**
   * Returns this type with its jobs in the queue of this tenant.
   *
   * @throws IllegalArgumentException the tenant has not 0 to {@value Limits#NAME_BYTES_MAX} bytes
   *     of UTF-8, or is not valid Unicode
   */
  public JobType<T> tenant(String value) {
    return with(new QueueName(queueName.name(), value), options);
  }

  /**
   * Returns this type with other default options, which the function makes of the current ones.
   *
   * @throws IllegalArgumentException the new options have another {@link EnqueueOptions#type}, or
   *     lack some of the changes that the function made
   */
  public JobType<T> defaults(UnaryOperator<EnqueueOptions> change) {
    return with(queueName, changed(change));
  }

  /** Returns this type with a codec of results, for jobs that end with one. */
  public <R> ResultJobType<T, R> returning(Codec<R> results) {
    return new ResultJobType<>(this, Objects.requireNonNull(results, "results"));
  }

  JobType<T> with(QueueName otherQueue, EnqueueOptions otherOptions) {
    return new JobType<>(name, codec, otherQueue, otherOptions);
  }

  public String name() {
    return name;
  }

  /** Returns the name of the queue of its jobs. */
  public QueueName queueName() {
    return queueName;
  }

  /** Returns the codec of the payloads. */
  public Codec<T> codec() {
    return codec;
  }

  /** Returns the default options of its jobs. */
  public EnqueueOptions options() {
    return options;
  }

  /**
   * Returns a job of this type, to be enqueued into {@link #queueName()}.
   *
   * @throws IllegalArgumentException the codec cannot encode the payload, or makes more than
   *     {@value Limits#PAYLOAD_BYTES_MAX} bytes of it
   */
  public NewJob newJob(T payload) {
    return new NewJob(codec.encode(payload), options);
  }

  /**
   * Returns a job of this type with the options that the function makes of the type's.
   *
   * @throws IllegalArgumentException the new options have another {@link EnqueueOptions#type}, or
   *     lack some of the changes that the function made; or as {@link #newJob(Object)}
   */
  public NewJob newJob(T payload, UnaryOperator<EnqueueOptions> change) {
    return new NewJob(codec.encode(payload), changed(change));
  }

  /** Decodes the payload of a job, which must be of this type. */
  T read(JobId job, String typeOfJob, byte[] payload) {
    if (!typeOfJob.equals(name)) {
      throw new IllegalArgumentException(
          "payload is of another type: job="
              + job
              + ", type="
              + typeOfJob
              + ", asked for="
              + name
              + "; look at the type of the job before");
    }
    return codec.decode(payload);
  }

  private EnqueueOptions changed(UnaryOperator<EnqueueOptions> change) {
    EnqueueOptions changed = options.changed(change);
    if (!changed.type().equals(options.type())) {
      throw new IllegalArgumentException(
          "options must keep the type of the job: type="
              + changed.type().orElse("none")
              + ", allowed="
              + name
              + "; begin with the options that the function is given");
    }
    return changed;
  }

  /** Returns the type's name and its queue. */
  @Override
  public String toString() {
    return name + " in " + queueName;
  }
}
