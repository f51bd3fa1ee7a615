package io.millrace.internal.commit;

import io.millrace.api.EngineHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How an engine is at a moment. */
record Health(
    EngineHealth.Status status,
    Instant since,
    String reason,
    Duration clockDivergence,
    Optional<EngineHealth.Failure> lastError,
    List<String> warnings)
    implements EngineHealth {}
