package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.NewJob;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FileJobsTest {

  @Test
  void priority_fallsWithTheSize() {
    assertThat(FileJobs.priority(0)).isEqualTo(30);
    assertThat(FileJobs.priority(65_536)).isEqualTo(30);
    assertThat(FileJobs.priority(65_537)).isEqualTo(20);
    assertThat(FileJobs.priority(1 << 20)).isEqualTo(20);
    assertThat(FileJobs.priority(16 << 20)).isEqualTo(10);
    assertThat(FileJobs.priority((16 << 20) + 1)).isZero();
    assertThat(FileJobs.priority(Long.MAX_VALUE)).isZero();
  }

  @Test
  void weight_growsWithTheSizeUpToTheLimit() {
    assertThat(FileJobs.weight(0)).isEqualTo(1);
    assertThat(FileJobs.weight(65_535)).isEqualTo(1);
    assertThat(FileJobs.weight(65_536)).isEqualTo(2);
    assertThat(FileJobs.weight(Long.MAX_VALUE)).isEqualTo(FileJobs.WEIGHT_MAX);
  }

  @Test
  void job_everyNth_isToFailOnce() {
    Found found = new Found(Found.Kind.FILE, Names.of("a"), 70_000, 0);

    NewJob third = FileJobs.job(found, 3, 3);
    NewJob fourth = FileJobs.job(found, 4, 3);
    NewJob never = FileJobs.job(found, 3, 0);

    assertThat(third.options().headers()).isEqualTo(Map.of("simulate", "fail-first-attempt"));
    assertThat(fourth.options().headers()).isEmpty();
    assertThat(never.options().headers()).isEmpty();
    assertThat(third.options().priority()).isEqualTo(20);
    assertThat(third.payload()).isEqualTo(Names.of("a").bytes());
  }
}
