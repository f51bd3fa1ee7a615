package io.millrace.spring.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.JobEnd;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.ResultJobType;
import io.millrace.spring.JobHandler;
import io.millrace.spring.JobTypes;
import io.millrace.worker.HandlerContext;
import io.millrace.worker.JobContext;
import io.millrace.worker.Next;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.ParameterizedTypeReference;

/** The methods of beans that work on jobs, and what is said of those that cannot. */
public abstract class HandlersContractTest {

  /** A payload. */
  public record Order(String id, long cents, Instant at) {}

  private static final Order ORDER = new Order("a1", 995, Instant.parse("2026-11-28T12:00:00Z"));

  /** Takes what a handler may take, and answers what it may answer. */
  static class Shop {

    final Seen seen = new Seen();

    @JobHandler("order")
    void order(JobContext job, Order order) {
      seen.add(order);
      seen.add(job.type());
    }

    @JobHandler(value = "orders", queue = "${shop.queue}")
    void orders(List<Order> orders, JobContext job) {
      seen.add(orders);
      seen.add(job.queue().name());
    }

    @JobHandler("bytes")
    private void bytes(byte[] bytes) {
      seen.add(bytes.length);
    }

    @JobHandler("nothing")
    void nothing() {
      seen.add("nothing");
    }

    @JobHandler("total")
    long total(List<Order> orders) {
      return orders.stream().mapToLong(Order::cents).sum();
    }

    @JobHandler("next")
    Next next(String text) {
      seen.add(text);
      return Next.dead("no more of " + text);
    }

    @JobHandler("done")
    void done(String text, HandlerContext job) {
      seen.add(text);
      job.completeInTransaction(tx -> tx.enqueue(JobType.of("nothing", Codec.TEXT), ""));
    }
  }

  @Test
  void handlers_ofAllSignatures_getTheirPayloads() {
    Contexts.with(Shop.class)
        .withPropertyValues("shop.queue=bulk")
        .run(
            context -> {
              JobQueues queues = context.getBean(JobQueues.class);
              JobTypes types = context.getBean(JobTypes.class);
              Seen seen = context.getBean(Shop.class).seen;
              queues.enqueue(types.of("order", Order.class), ORDER);
              assertThat(seen.next()).isEqualTo(ORDER);
              assertThat(seen.next()).isEqualTo("order");
              queues.enqueue(types.of("orders", listOfOrders()).queue("bulk"), List.of(ORDER));
              assertThat(seen.next()).isEqualTo(List.of(ORDER));
              assertThat(seen.next()).isEqualTo("bulk");
              queues.enqueue(types.of("bytes", byte[].class), new byte[7]);
              assertThat(seen.next()).isEqualTo(7);
              queues.enqueue(types.of("done", String.class), "done");
              assertThat(seen.next()).isEqualTo("done");
              assertThat(seen.next()).isEqualTo("nothing");
            });
  }

  private static ParameterizedTypeReference<List<Order>> listOfOrders() {
    return new ParameterizedTypeReference<>() {};
  }

  @Test
  void payload_asItIsStored_isJsonOfTheApplicationsMapper() {
    Contexts.with()
        .run(
            context -> {
              JobQueues queues = context.getBean(JobQueues.class);
              JobType<Order> type = context.getBean(JobTypes.class).of("order", Order.class);
              queues.enqueue(type, ORDER);
              var job =
                  queues
                      .peek(QueueName.of("order"), JobState.READY, PageRequest.first(1))
                      .items()
                      .get(0);
              assertThat(new String(job.payload(), UTF_8))
                  .isEqualTo("{\"id\":\"a1\",\"cents\":995,\"at\":\"2026-11-28T12:00:00Z\"}");
              assertThat(job.headers()).containsEntry("content-type", "application/json");
            });
  }

  @Test
  void payload_thatCannotBeRead_failsTheJobAndNotTheWorker() {
    Contexts.with(Shop.class)
        .withPropertyValues("shop.queue=bulk")
        .run(
            context -> {
              JobQueues queues = context.getBean(JobQueues.class);
              Seen seen = context.getBean(Shop.class).seen;
              var end = queues.queue("order").submit(new byte[] {'{'}).end();
              assertThat(end.get(30, TimeUnit.SECONDS)).isInstanceOf(JobEnd.Died.class);
              queues.enqueue(JobType.of("nothing", Codec.TEXT), "");
              assertThat(seen.next()).isEqualTo("nothing");
            });
  }

  @Test
  void handlers_withAnswers_endTheirJobsByThem() {
    Contexts.with(Shop.class)
        .withPropertyValues("shop.queue=bulk")
        .run(
            context -> {
              JobQueues queues = context.getBean(JobQueues.class);
              JobTypes types = context.getBean(JobTypes.class);
              ResultJobType<List<Order>, Long> total =
                  types.of("total", listOfOrders()).returning(types.codec(Long.class));
              assertThat(
                      queues.submit(total, List.of(ORDER, ORDER)).end().get(30, TimeUnit.SECONDS))
                  .isEqualTo(new JobEnd.Completed<>(1990L));
              var dead = queues.queue("next").submit("bread".getBytes(UTF_8)).end();
              assertThat(dead.get(30, TimeUnit.SECONDS))
                  .isInstanceOfSatisfying(
                      JobEnd.Died.class,
                      died -> assertThat(died.error()).contains("no more of bread"));
            });
  }

  /** Options of a handler. */
  static class Careful {

    final Seen seen = new Seen();

    @JobHandler(
        value = "careful",
        concurrency = 1,
        timeout = "100ms",
        permanent = IllegalArgumentException.class)
    void work(String text, JobContext job) throws InterruptedException {
      seen.add(job.attempt());
      if (text.equals("wrong")) {
        throw new IllegalArgumentException("wrong");
      }
      new CountDownLatch(1).await();
    }
  }

  @Test
  void options_ofTheAnnotation_areTheHandlers() {
    JobType<String> careful = JobType.of("careful", Codec.TEXT);
    Contexts.with(Careful.class)
        .run(
            context -> {
              JobQueues queues = context.getBean(JobQueues.class);
              var wrong = queues.submit(careful.returning(Codec.TEXT), "wrong").end();
              assertThat(wrong.get(30, TimeUnit.SECONDS)).isInstanceOf(JobEnd.Died.class);
              var slow =
                  queues.submit(
                      careful.returning(Codec.TEXT), "slow", options -> options.maxAttempts(1));
              assertThat(slow.end().get(30, TimeUnit.SECONDS))
                  .isInstanceOfSatisfying(
                      JobEnd.Died.class, died -> assertThat(died.error()).contains("timed out"));
            });
  }

  /** A lazy bean, and one that is made anew for each job behind a proxy. */
  @Configuration(proxyBeanMethods = false)
  static class Scoped {

    static final Seen SEEN = new Seen();

    @Bean
    @Lazy
    LazyOne lazyOne() {
      return new LazyOne();
    }

    @Bean
    @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    Anew anew() {
      return new Anew();
    }
  }

  /** A lazy bean. */
  static class LazyOne {

    @JobHandler("lazy")
    void work(String text) {
      Scoped.SEEN.add("lazy " + text);
    }
  }

  /** A bean behind a proxy. */
  static class Anew {

    @JobHandler("anew")
    void work(String text) {
      Scoped.SEEN.add("anew " + text);
    }
  }

  @Test
  void handlers_ofLazyAndScopedBeans_areFound() {
    Contexts.with(Scoped.class)
        .run(
            context -> {
              JobQueues queues = context.getBean(JobQueues.class);
              assertThat(context.getSourceApplicationContext().getBeanFactory())
                  .returns(false, beans -> beans.containsSingleton("lazyOne"));
              queues.enqueue(JobType.of("lazy", Codec.TEXT), "1");
              assertThat(Scoped.SEEN.next()).isEqualTo("lazy 1");
              queues.enqueue(JobType.of("anew", Codec.TEXT), "2");
              assertThat(Scoped.SEEN.next()).isEqualTo("anew 2");
            });
  }

  /** A type that is a bean, with a queue and options of its own. */
  @Configuration(proxyBeanMethods = false)
  static class Typed {

    final Seen seen = new Seen();

    @Bean
    JobType<Order> order(JobTypes types) {
      return types.of("order", Order.class).queue("vip").defaults(it -> it.maxAttempts(2));
    }

    @JobHandler("order")
    void order(Order order, JobContext job) {
      seen.add(job.queue().name() + " " + job.maxAttempts());
    }
  }

  @Test
  void type_thatIsABean_decidesOnQueueAndOptions() {
    Contexts.with(Typed.class)
        .run(
            context -> {
              @SuppressWarnings("unchecked") // there is one alone
              JobType<Order> type = context.getBean(JobType.class);
              context.getBean(JobQueues.class).enqueue(type, ORDER);
              assertThat(context.getBean(Typed.class).seen.next()).isEqualTo("vip 2");
            });
  }

  /** The other handler of a type. */
  static class SecondOfNothing {
    @JobHandler("nothing")
    void again() {}
  }

  @Test
  void handlers_twoOfOneType_areBothNamed() {
    fails(
        "two methods handle jobs of one type: type=nothing",
        "Shop.nothing()",
        Shop.class,
        SecondOfNothing.class);
  }

  /** Two payloads. */
  static class TwoPayloads {
    @JobHandler("two")
    void two(String text, Order order) {}
  }

  @Test
  void handler_withTwoPayloads_isRefused() {
    fails(
        "TwoPayloads.two(String, Order); it has two parameters that may be the payload,"
            + " java.lang.String and",
        "Give it one payload at most",
        TwoPayloads.class);
  }

  /** Two contexts. */
  static class TwoContexts {
    @JobHandler("two")
    void two(JobContext one, HandlerContext other) {}
  }

  @Test
  void handler_withTwoContexts_isRefused() {
    fails("it has two parameters for the job", "TwoContexts", TwoContexts.class);
  }

  /** A result, and a context that is for handlers without one. */
  static class ResultAndContext {
    @JobHandler("result")
    String result(HandlerContext job) {
      return job.type();
    }
  }

  @Test
  void handler_withResultAndHandlerContext_isRefused() {
    fails("it asks for a HandlerContext and returns a value", "JobContext", ResultAndContext.class);
  }

  /** A type of other payloads than the handler takes. */
  @Configuration(proxyBeanMethods = false)
  static class OtherPayload {

    @Bean
    JobType<Order> order(JobTypes types) {
      return types.of("order", Order.class);
    }

    @JobHandler("order")
    void order(Duration duration) {}
  }

  @Test
  void handler_withOtherPayloadThanItsType_isRefused() {
    fails(
        "handler takes another payload than its type has",
        "OtherPayload.order(Duration), bean=order",
        OtherPayload.class);
  }

  /** A queue that is said twice. */
  @Configuration(proxyBeanMethods = false)
  static class QueueTwice {

    @Bean
    JobType<Order> order(JobTypes types) {
      return types.of("order", Order.class);
    }

    @JobHandler(value = "order", queue = "vip")
    void order(Order order) {}
  }

  @Test
  void queue_ofTypeAndAnnotation_isRefused() {
    fails("queue is said twice", "Leave it out of the annotation", QueueTwice.class);
  }

  /** A time that is none. */
  static class WrongTimeout {
    @JobHandler(value = "wrong", timeout = "soon")
    void work() {}
  }

  @Test
  void timeout_thatIsNone_isRefused() {
    fails("@JobHandler of ", "'soon' is not a valid", WrongTimeout.class);
  }

  /** A name that is none. */
  static class NoName {
    @JobHandler("")
    void work() {}
  }

  @Test
  void type_withoutName_isRefused() {
    fails("NoName.work()", "name", NoName.class);
  }

  /** An interface that has none of the handlers. */
  interface Greeter {
    void greet();
  }

  /** A bean behind a proxy of its interface, which has no such method. */
  static class Hidden implements Greeter {

    @Override
    public void greet() {}

    @JobHandler("hidden")
    public void work(String text) {}
  }

  /** A configuration that has the bean proxied. */
  @Configuration(proxyBeanMethods = false)
  static class Proxied {

    @Bean
    @Scope(value = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
    Hidden hidden() {
      return new Hidden();
    }
  }

  @Test
  void handler_thatItsProxyDoesNotHave_isRefused() {
    fails("method cannot be called through the proxy of its bean", "Hidden.work", Proxied.class);
  }

  /** A payload that needs a mapper. */
  static class Takes {
    @JobHandler("order")
    void order(Order order) {}
  }

  @Test
  void payload_withoutAnyMapper_isRefused() {
    Contexts.with(Takes.class)
        .withPropertyValues(
            "spring.autoconfigure.exclude="
                + "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration,"
                + "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration,"
                + "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasMessageContaining("jobs of " + Takes.class.getName() + ".order(Order)")
                    .hasMessageContaining("there is no JSON mapper among the beans"));
  }

  private static void fails(String sentence, String further, Class<?>... components) {
    Contexts.with(components)
        .withPropertyValues("shop.queue=bulk", "millrace.worker.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasMessageContaining(sentence)
                    .hasMessageContaining(further));
  }
}
