package io.millrace.cli.option;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.cli.command.CannotException;
import io.millrace.cli.command.Checked;
import io.millrace.cli.pages.Pages;
import io.millrace.cli.place.Target;
import io.millrace.console.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The queue that a command is about, if it is about one. */
public final class QueueOption {

  /** The character between a queue's name and its tenant, as {@link QueueName} is printed. */
  private static final char BEFORE_TENANT = '@';

  /** The most tenants that a hint names, when the queue of one of them may have been meant. */
  private static final int TENANTS_TOLD_MAX = 3;

  /** The most queues among which a hint looks for these. */
  private static final int LOOKED_AT_MAX = 10_000;

  @Option(
      names = "--queue",
      paramLabel = "NAME",
      description = "Only this queue; NAME@TENANT, as queues are shown, is that of a tenant.")
  private @Nullable String given;

  @Option(
      names = "--tenant",
      paramLabel = "TENANT",
      description =
          "The tenant of --queue; without it the default tenant. With it NAME is taken as it is,"
              + " whatever @ is in it; '' is the default tenant.")
  private @Nullable String givenTenant;

  /**
   * Returns the queue that was named.
   *
   * @throws ParameterException the name or the tenant is out of limits, or there is a tenant alone
   */
  public Optional<QueueName> queue(CommandLine command) {
    if (!hasName() && hasTenant()) {
      throw new ParameterException(command, "--tenant needs --queue");
    }
    return Checked.value(
        command,
        "--queue is no queue name: ",
        () -> name().map(name -> new QueueName(name, tenant().orElse(""))));
  }

  /**
   * Returns the queue that the command needs, whether it is there or not.
   *
   * @throws ParameterException none was named, or not well
   */
  public QueueName required(CommandLine command) {
    return queue(command)
        .orElseThrow(() -> new ParameterException(command, "say which queue: --queue"));
  }

  public boolean hasName() {
    return given != null;
  }

  public boolean hasTenant() {
    return tenant().isPresent();
  }

  /** Returns the name that was given, without the tenant. */
  public Optional<String> name() {
    return Optional.ofNullable(given)
        .map(all -> isWithTenant() ? all.substring(0, all.lastIndexOf(BEFORE_TENANT)) : all);
  }

  /** Returns the tenant that was given, with the name or beside it. */
  public Optional<String> tenant() {
    return isWithTenant()
        ? Optional.ofNullable(given).map(all -> all.substring(all.lastIndexOf(BEFORE_TENANT) + 1))
        : Optional.ofNullable(givenTenant);
  }

  private boolean isWithTenant() {
    return given != null && givenTenant == null && given.indexOf(BEFORE_TENANT) > 0;
  }

  /**
   * Returns the queue that is asked for, or all there are.
   *
   * @throws CannotException there is no such queue
   */
  public static List<QueueName> existing(Target target, Optional<QueueName> only) {
    if (only.isPresent()) {
      if (!isThere(target, only.get())) {
        throw new CannotException(
            "no such queue: "
                + Printable.text(only.get().toString())
                + hint(target, only.get())
                + wholeHint(target, only.get()));
      }
      return List.of(only.get());
    }
    List<QueueName> queues = new ArrayList<>();
    new Pages<>(target::queues).forEachRemaining(queues::add);
    return queues;
  }

  /** Tells whether the queue is there; a damaged one is. */
  private static boolean isThere(Target target, QueueName queue) {
    try {
      return target.stats(queue).isPresent();
    } catch (CorruptDataException e) {
      return true;
    }
  }

  /**
   * Returns a hint at a queue of the default tenant that has the @ in its name, if there is one.
   */
  private static String wholeHint(Target target, QueueName asked) {
    String whole = asked.toString();
    boolean isThere =
        !asked.tenant().isEmpty()
            && whole.getBytes(UTF_8).length <= Limits.NAME_BYTES_MAX
            && isThere(target, QueueName.of(whole));
    return isThere ? "; the default tenant has one of that name: say --tenant '', too" : "";
  }

  /** Returns a hint at the queues of that name that other tenants have, if there are some. */
  private static String hint(Target target, QueueName asked) {
    Iterable<QueueName> pages = () -> new Pages<>(target::queues);
    List<QueueName> others =
        StreamSupport.stream(pages.spliterator(), false)
            .limit(LOOKED_AT_MAX)
            .filter(queue -> queue.name().equals(asked.name()))
            .limit(TENANTS_TOLD_MAX + 1)
            .toList();
    if (others.isEmpty()) {
      return "";
    }
    String told =
        others.stream()
            .limit(TENANTS_TOLD_MAX)
            .map(queue -> Printable.text(queue.toString()))
            .collect(Collectors.joining(", "));
    return "; of this name there "
        + (others.size() == 1 ? "is " : "are ")
        + told
        + (others.size() > TENANTS_TOLD_MAX ? ", and more" : "");
  }
}
