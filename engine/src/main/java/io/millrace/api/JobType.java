package io.millrace.api;

import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * What those who enqueue jobs and those who work on them agree on: a name, the queue, how payloads
 * are written, and how the jobs are to be served if nobody says otherwise. A constant of the
 * program that uses it. Immutable and thread-safe if its codec is.
 *
 * <pre>{@code
 * static final JobType<String> MAIL =
 *     JobType.of("mail", Codec.TEXT).defaults(options -> options.maxAttempts(9));
 *
 * engine.enqueue(MAIL, "ada@example.org");
 * }</pre>
 *
 * <p>The name is in each job ({@link EnqueueOptions#type}): it tells jobs of several types apart
 * that share a queue, and must stay as long as there are jobs of it. If the codec says what its
 * bytes are ({@link Codec#contentType}), that is in the header {@value #CONTENT_TYPE}, unless the
 * job has that header already.
 *
 * @param <T> type of the payloads
 */
public class JobType<T> {

  /** The header that says what the bytes of a payload are. */
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
   * A type whose jobs are in the queue of the same name, of the default tenant, with the default
   * options.
   *
   * @param name 1 to {@value Limits#NAME_BYTES_MAX} bytes of UTF-8
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

  /** The same with jobs in another queue, which several types may share. */
  public JobType<T> queue(String value) {
    return with(new QueueName(value, queueName.tenant()), options);
  }

  /** The same with jobs of this tenant. */
  public JobType<T> tenant(String value) {
    return with(new QueueName(queueName.name(), value), options);
  }

  /**
   * The same with other options for who says nothing: the function is given what holds so far.
   *
   * @throws IllegalArgumentException they say another {@link EnqueueOptions#type}
   */
  public JobType<T> defaults(UnaryOperator<EnqueueOptions> change) {
    return with(queueName, changed(change));
  }

  /** The same with jobs that end with a result. */
  public <R> ResultJobType<T, R> returning(Codec<R> results) {
    return new ResultJobType<>(this, Objects.requireNonNull(results, "results"));
  }

  JobType<T> with(QueueName otherQueue, EnqueueOptions otherOptions) {
    return new JobType<>(name, codec, otherQueue, otherOptions);
  }

  public String name() {
    return name;
  }

  /** The queue of its jobs. */
  public QueueName queueName() {
    return queueName;
  }

  /** How payloads are written. */
  public Codec<T> codec() {
    return codec;
  }

  /** How its jobs are enqueued if nobody says otherwise. */
  public EnqueueOptions options() {
    return options;
  }

  /** A job of this type, to be enqueued into {@link #queueName()}. */
  public NewJob newJob(T payload) {
    return new NewJob(codec.encode(payload), options);
  }

  /**
   * As the other; the function is given the type's options, and answers those of the job.
   *
   * @throws IllegalArgumentException they say another {@link EnqueueOptions#type}
   */
  public NewJob newJob(T payload, UnaryOperator<EnqueueOptions> change) {
    return new NewJob(codec.encode(payload), changed(change));
  }

  /** What the bytes of a job say that has to be of this type. */
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

  /** Its name and its queue. */
  @Override
  public String toString() {
    return name + " in " + queueName;
  }
}
