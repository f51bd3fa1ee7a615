package shop;

import io.millrace.api.JobQueues;
import io.millrace.spring.JobHandler;
import io.millrace.spring.JobTypes;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

@SpringBootApplication
public class Main {

  record Order(String id, Instant at) {}

  @Component
  static class Shop {

    final BlockingQueue<Order> shipped = new LinkedBlockingQueue<>();

    @JobHandler("ship")
    void ship(Order order) {
      shipped.add(order);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Order order = new Order("a1", Instant.parse("2026-11-28T12:00:00Z"));
    try (var context = SpringApplication.run(Main.class, args)) {
      context.getBean(JobQueues.class).enqueue(context.getBean(JobTypes.class).of("ship", Order.class), order);
      Order shipped = context.getBean(Shop.class).shipped.poll(30, TimeUnit.SECONDS);
      if (!order.equals(shipped)) {
        throw new IllegalStateException("shipped: " + shipped);
      }
    }
    System.out.println("shipped: " + order);
  }
}
