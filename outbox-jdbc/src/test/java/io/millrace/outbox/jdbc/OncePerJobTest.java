package io.millrace.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobId;
import io.millrace.engine.JobEngine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Attempts of one job that are at work at the same time. */
@Tag("slow")
@Timeout(120)
class OncePerJobTest {

  private static final JobId JOB = new JobId(1, 2);

  private final JobEngine engine = JobEngine.open("memory:once-" + UUID.randomUUID());

  @AfterEach
  void close() {
    engine.close();
  }

  private OncePerJob once(DataSource source) throws SQLException {
    OncePerJob once = OncePerJob.on(source, engine).table("done_jobs");
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      once.createTable(connection);
      statement.execute("CREATE TABLE booked (amount INTEGER)");
    }
    return once;
  }

  private static void book(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO booked VALUES (1)");
    }
  }

  private static int booked(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet sum = statement.executeQuery("SELECT COUNT(*) FROM booked")) {
      sum.next();
      return sum.getInt(1);
    }
  }

  @Test
  void attempts_atTheSameTimeInPostgres_doTheWorkOnce() throws Exception {
    raceAttempts(PostgresSchemas.newSchema());
  }

  @Test
  void attempts_atTheSameTimeInH2_doTheWorkOnce() throws Exception {
    raceAttempts(OutboxRig.newDatabase());
  }

  private void raceAttempts(DataSource source) throws Exception {
    OncePerJob once = once(source);
    for (int trial = 1; trial <= 10; trial++) {
      JobId job = new JobId(7, trial);
      CountDownLatch begin = new CountDownLatch(1);
      List<CompletableFuture<Boolean>> attempts = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        attempts.add(
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    begin.await();
                    return once.run(job, OncePerJobTest::book);
                  } catch (SQLException | InterruptedException e) {
                    throw new AssertionError(e);
                  }
                }));
      }
      begin.countDown();

      assertThat(attempts.stream().filter(CompletableFuture::join)).hasSize(1);
      assertThat(booked(source)).isEqualTo(trial);
    }
  }

  @Test
  void jobs_ofAnotherStore_areOthersThoughTheirIdsAreTheSame() throws SQLException {
    DataSource source = OutboxRig.newDatabase();
    OncePerJob once = once(source);
    assertThat(once.run(JOB, OncePerJobTest::book)).isTrue();

    try (JobEngine second = JobEngine.open("memory:twice-" + UUID.randomUUID())) {
      OncePerJob other = OncePerJob.on(source, second).table("done_jobs");
      assertThat(other.run(JOB, OncePerJobTest::book)).isTrue();
      assertThat(other.run(JOB, OncePerJobTest::book)).isFalse();
    }

    assertThat(booked(source)).isEqualTo(2);
  }
}
