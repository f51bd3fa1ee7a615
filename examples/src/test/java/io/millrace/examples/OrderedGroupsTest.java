package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderedGroupsTest {

  @Test
  void run_jobsOfOneKey_areServedOneAfterTheOther() {
    List<String> served = new ArrayList<>();

    OrderedGroups.run("memory:ordered-groups", served::add);

    assertThat(served)
        .containsExactly(
            "ada: open",
            "bob: open",
            "ada: pay in",
            "invoice 1",
            "invoice 2",
            "0 reports",
            "report 1");
  }
}
