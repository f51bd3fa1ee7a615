package io.millrace.cli;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobReader;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.cli.place.Target;
import io.millrace.cli.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The queue that a command is about, if it is about one. */
final class QueueOption {

  @Option(names = "--queue", paramLabel = "NAME", description = "Only this queue.")
  private @Nullable String name;

  @Option(
      names = "--tenant",
      paramLabel = "TENANT",
      description = "The tenant of --queue; without it the default tenant.")
  private @Nullable String tenant;

  /**
   * The queue that was named.
   *
   * @throws ParameterException the name or the tenant is out of limits, or there is a tenant alone
   */
  Optional<QueueName> queue(CommandLine command) {
    if (name == null) {
      if (tenant != null) {
        throw new ParameterException(command, "--tenant needs --queue");
      }
      return Optional.empty();
    }
    try {
      return Optional.of(new QueueName(name, tenant == null ? "" : tenant));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, "--queue is no queue name: " + e.getMessage(), e);
    }
  }

  /**
   * The queue that was named, which must be there.
   *
   * @throws ParameterException none was named, or not well
   */
  QueueName required(CommandLine command) {
    return queue(command)
        .orElseThrow(() -> new ParameterException(command, "say which queue: --queue"));
  }

  boolean hasName() {
    return name != null;
  }

  boolean hasTenant() {
    return tenant != null;
  }

  /** As it was given. */
  Optional<String> name() {
    return Optional.ofNullable(name);
  }

  /** As it was given. */
  Optional<String> tenant() {
    return Optional.ofNullable(tenant);
  }

  /**
   * The queue that is asked for, or all there are.
   *
   * @throws CannotException there is no such queue
   */
  static List<QueueName> existing(JobReader reader, Optional<QueueName> only) {
    return existing(reader::stats, reader::queues, only);
  }

  /**
   * The queue that is asked for, or all there are.
   *
   * @throws CannotException there is no such queue
   */
  static List<QueueName> existing(Target target, Optional<QueueName> only) {
    return existing(target::stats, target::queues, only);
  }

  /** One of which something is damaged is there. */
  private static boolean isThere(Function<QueueName, Optional<QueueStats>> stats, QueueName queue) {
    try {
      return stats.apply(queue).isPresent();
    } catch (CorruptDataException e) {
      return true;
    }
  }

  private static List<QueueName> existing(
      Function<QueueName, Optional<QueueStats>> stats,
      Function<PageRequest, Page<QueueName>> all,
      Optional<QueueName> only) {
    if (only.isPresent()) {
      if (!isThere(stats, only.get())) {
        throw new CannotException("no such queue: " + Printable.text(only.get().toString()));
      }
      return List.of(only.get());
    }
    List<QueueName> queues = new ArrayList<>();
    new Pages<>(all).forEachRemaining(queues::add);
    return queues;
  }
}
