package io.millrace.server;

import io.millrace.api.JobQueues;
import io.millrace.api.NotAllowedException;
import io.millrace.api.QueueName;
import io.millrace.protocol.Call;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * An operation of the protocol as the server carries it out. Any thread.
 *
 * @param roles the roles that a caller needs for a call
 * @param isWaiting whether a call may wait for something that has yet to happen, and changes
 *     nothing if it ends before
 * @param takingBack takes back what an answer gave that nobody received
 */
record Handler<C extends Call<A>, A>(
    Operation<C, A> operation,
    Function<C, Set<Role>> roles,
    boolean isWaiting,
    BiFunction<Served, C, CompletableFuture<A>> work,
    BiConsumer<JobQueues, A> takingBack) {

  /**
   * The queues that are served, and what calls on them need.
   *
   * @param threads for calls that block
   * @param slow for calls that block and take long: quick ones do not wait for them
   * @param listenings the listeners of callers
   * @param isTold tells whether the caller may be told of jobs of a queue
   */
  record Served(
      JobQueues queues,
      Executor threads,
      Executor slow,
      HeldListenings listenings,
      Predicate<QueueName> isTold) {

    /** Creates what is served to callers who may be told of all queues. */
    Served(JobQueues queues, Executor threads, Executor slow, HeldListenings listenings) {
      this(queues, threads, slow, listenings, queue -> true);
    }

    private Served toldOf(Set<QueuePattern> allowed) {
      return new Served(
          queues, threads, slow, listenings, queue -> QueuePattern.matches(allowed, queue));
    }
  }

  /** An answer that the caller is yet to be told. */
  interface Told {

    /** Returns the answer's message. */
    byte[] message();

    /** Takes back what the answer gave: nobody received it. */
    void takeBack();
  }

  /** Returns a handler of calls that give a future themselves. */
  static <C extends Call<A>, A> Handler<C, A> later(
      Class<C> call, Role role, BiFunction<JobQueues, C, CompletableFuture<A>> work) {
    return new Handler<>(
        Protocol.of(call),
        asked -> Set.of(role),
        false,
        (served, asked) -> work.apply(served.queues, asked),
        (queues, answer) -> {});
  }

  /**
   * Returns a handler of calls that wait by a future.
   *
   * @param answer makes the answer of what the future brings
   */
  static <C extends Call<A>, S, A> Handler<C, A> waiting(
      Class<C> call,
      Role role,
      BiFunction<JobQueues, C, CompletableFuture<S>> work,
      Function<S, A> answer) {
    return waiting(call, role, work, answer, (queues, told) -> {});
  }

  /**
   * Returns a handler of calls that wait by a future, and whose answers give something.
   *
   * @param answer makes the answer of what the future brings
   * @param takingBack takes back what an answer gave that nobody received
   */
  static <C extends Call<A>, S, A> Handler<C, A> waiting(
      Class<C> call,
      Role role,
      BiFunction<JobQueues, C, CompletableFuture<S>> work,
      Function<S, A> answer,
      BiConsumer<JobQueues, A> takingBack) {
    return new Handler<>(
        Protocol.of(call),
        asked -> Set.of(role),
        true,
        (served, asked) ->
            ending(
                work.apply(served.queues, asked),
                answer,
                told -> takingBack.accept(served.queues, told)),
        takingBack);
  }

  /** Returns a handler of calls that block, on a thread of the server's. */
  static <C extends Call<A>, A> Handler<C, A> blocking(
      Class<C> call, Role role, BiFunction<JobQueues, C, A> work) {
    return blocking(call, asked -> Set.of(role), work);
  }

  /** Returns a handler of calls that block and may take long, on other threads than the quick. */
  static <C extends Call<A>, A> Handler<C, A> slow(
      Class<C> call, Role role, BiFunction<JobQueues, C, A> work) {
    return new Handler<>(
        Protocol.of(call),
        asked -> Set.of(role),
        false,
        (served, asked) ->
            CompletableFuture.supplyAsync(() -> work.apply(served.queues, asked), served.slow),
        (queues, answer) -> {});
  }

  /** Returns a handler of calls that block, of which each has its own roles. */
  static <C extends Call<A>, A> Handler<C, A> blocking(
      Class<C> call, Function<C, Set<Role>> roles, BiFunction<JobQueues, C, A> work) {
    return telling(call, roles, (served, asked) -> work.apply(served.queues, asked));
  }

  /** Returns a handler of calls that block, and tell no more than their callers may be told of. */
  static <C extends Call<A>, A> Handler<C, A> telling(
      Class<C> call, Function<C, Set<Role>> roles, BiFunction<Served, C, A> work) {
    return new Handler<>(
        Protocol.of(call),
        roles,
        false,
        (served, asked) ->
            CompletableFuture.supplyAsync(() -> work.apply(served, asked), served.threads),
        (queues, answer) -> {});
  }

  /**
   * Returns a handler of calls that block, and whose answers give something.
   *
   * @param takingBack takes back what an answer gave that nobody received
   */
  static <C extends Call<A>, A> Handler<C, A> giving(
      Class<C> call,
      Role role,
      BiFunction<JobQueues, C, A> work,
      BiConsumer<JobQueues, A> takingBack) {
    Handler<C, A> blocking = blocking(call, role, work);
    return new Handler<>(blocking.operation, blocking.roles, false, blocking.work, takingBack);
  }

  /**
   * Carries out a call. If the future is completed or cancelled by somebody else, a call that waits
   * ends.
   *
   * @param rights what the caller may do
   * @param request the call's message
   * @throws RuntimeException the call is refused at once
   */
  CompletableFuture<Told> carryOut(Served served, Rights rights, byte[] request) {
    C asked = operation.decode(request);
    checkRoles(asked, rights.roles());
    return ending(
        rights.queues().isEmpty()
            ? work.apply(served, asked)
            : ofQueues(served, rights.queues().get(), asked),
        answer ->
            new Told() {
              @Override
              public byte[] message() {
                return operation.encodeAnswer(answer);
              }

              @Override
              public void takeBack() {
                takingBack.accept(served.queues, answer);
              }
            },
        Told::takeBack);
  }

  /** Carries out a call to some queues alone, once it is known that it names no others. */
  private CompletableFuture<A> ofQueues(Served served, Set<QueuePattern> queues, C asked) {
    CompletableFuture<A> answered = new CompletableFuture<>();
    // On a thread that may read the store: that of a connection is not to be held up.
    served.threads.execute(
        () -> {
          try {
            QueueRules.check(asked, new QueueCheck(operation.name(), queues, served));
            if (!answered.isDone()) {
              end(
                  answered,
                  work.apply(served.toldOf(queues), asked),
                  Function.identity(),
                  told -> takingBack.accept(served.queues, told));
            }
          } catch (RuntimeException | Error e) { // Nobody else would tell the caller.
            answered.completeExceptionally(e);
          }
        });
    return answered;
  }

  private void checkRoles(C asked, Set<Role> allowed) {
    Set<Role> needed = roles.apply(asked);
    if (!allowed.containsAll(needed)) {
      throw new NotAllowedException(
          "the token does not allow this call: call="
              + operation.name()
              + ", roles="
              + needed
              + ", roles of the token="
              + allowed);
    }
  }

  /**
   * Returns a future of what comes of another's value, whose end ends the other as well.
   *
   * @param unwanted is given what came when the future had ended already
   */
  private static <S, A> CompletableFuture<A> ending(
      CompletableFuture<S> of, Function<S, A> answer, Consumer<A> unwanted) {
    CompletableFuture<A> answered = new CompletableFuture<>();
    end(answered, of, answer, unwanted);
    return answered;
  }

  /** Ends a future with what comes of another's value, and the other with it. */
  private static <S, A> void end(
      CompletableFuture<A> answered,
      CompletableFuture<S> of,
      Function<S, A> answer,
      Consumer<A> unwanted) {
    of.whenComplete(
        (value, thrown) -> {
          if (thrown != null) {
            answered.completeExceptionally(thrown);
            return;
          }
          A told;
          try {
            told = answer.apply(value);
          } catch (RuntimeException e) {
            answered.completeExceptionally(e);
            return;
          }
          if (!answered.complete(told)) {
            unwanted.accept(told);
          }
        });
    answered.whenComplete(
        (told, thrown) -> {
          if (thrown != null) {
            of.cancel(false);
          }
        });
  }
}
