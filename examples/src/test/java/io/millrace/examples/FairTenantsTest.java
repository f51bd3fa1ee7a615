package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairTenantsTest {

  @Test
  void run_oneTenantHasMuchWaiting_othersHaveTheirTurns() {
    List<String> served = new ArrayList<>();

    FairTenants.run("memory:fair-tenants", served::add);

    assertThat(served).hasSize(5);
    assertThat(served.subList(0, 4)).containsOnlyOnce("busy", "quiet");
    assertThat(String.join(" ", served)).contains("paying paying");
  }
}
