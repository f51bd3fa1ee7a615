package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.model.ModelLease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The steps of a history that claim across the tenants of a name. Whose turn it is, the engine
 * tells; that each tenant's job is its next, and that nobody is left out, the model knows.
 */
final class TenantSteps {

  private final World world;

  TenantSteps(World world) {
    this.world = world;
  }

  void claim(Op.ClaimAcross step) {
    ClaimOptions options = World.by(step.worker()).max(step.max()).capacity(step.capacity());
    served(world.engine().claimAcrossTenants(Histories.NAME_OF_TENANTS, options), options);
  }

  CompletableFuture<List<Lease>> claimAsync(ClaimOptions options) {
    return world.engine().claimAcrossTenantsAsync(Histories.NAME_OF_TENANTS, options);
  }

  /** The engine has granted these. */
  void served(List<Lease> leases, ClaimOptions options) {
    List<QueueName> tenants = Histories.tenants();
    List<ModelLease> expected = new ArrayList<>();
    for (Lease lease : leases) {
      assertThat(tenants).contains(lease.queue());
      expected.addAll(world.model.claims.claim(List.of(lease.queue()), options.max(1)));
    }
    assertThat(expected).as("jobs that the model has for the claim").hasSameSizeAs(leases);
    world.hold(expected, leases);
    assertThat(leases.size() == options.max() || !world.model.claims.isAnyFor(tenants, options))
        .as("nothing is left for a claim that got less than it asked for")
        .isTrue();
  }
}
