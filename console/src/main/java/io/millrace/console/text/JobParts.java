package io.millrace.console.text;

import io.millrace.api.Job;
import io.millrace.api.JobType;
import io.millrace.console.hook.PayloadView;
import io.millrace.console.hook.PayloadView.Part;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of jobs that carry their users' data, as an application wants them shown. */
public final class JobParts {

  private static final Logger LOG = LoggerFactory.getLogger(JobParts.class);

  private static final Map<String, Part> OWN =
      Map.of(
          "payload", Part.PAYLOAD,
          "headers", Part.HEADERS,
          "checkpointed", Part.CHECKPOINT,
          "result", Part.RESULT);

  private final Optional<PayloadView> view;

  /** Creates parts that this view shows; as they are, if there is none. */
  public JobParts(Optional<PayloadView> view) {
    this.view = view;
  }

  /** Returns the part that an accessor of jobs returns, if the application shows it. */
  Optional<Part> ownPart(String accessor) {
    return view.isEmpty() ? Optional.empty() : Optional.ofNullable(OWN.get(accessor));
  }

  /** Returns the text to show; empty if the job has no such part. */
  public Optional<String> shown(Job job, Part part) {
    Optional<byte[]> bytes =
        switch (part) {
          case PAYLOAD -> Optional.of(job.payload());
          case CHECKPOINT -> job.checkpointed();
          case RESULT -> job.result();
          case HEADERS -> headers(job);
        };
    Optional<String> contentType =
        part == Part.PAYLOAD
            ? Optional.ofNullable(job.headers().get(JobType.CONTENT_TYPE))
            : Optional.empty();
    return bytes.map(it -> own(job, part, PayloadText.of(it, contentType)));
  }

  private static Optional<byte[]> headers(Job job) {
    return job.headers().isEmpty()
        ? Optional.empty()
        : Optional.of(
            job.headers().entrySet().stream()
                .map(each -> each.getKey() + ": " + each.getValue())
                .collect(Collectors.joining("\n"))
                .getBytes(StandardCharsets.UTF_8));
  }

  private String own(Job job, Part part, String text) {
    if (view.isEmpty()) {
      return text;
    }
    try {
      return view.get().shown(job, part, text);
    } catch (RuntimeException e) {
      // Its message may have what it was to hide.
      LOG.warn("the view of payloads has failed: job={}, part={}", job.id(), part);
      LOG.debug("what the view of payloads has thrown", e);
      return "(not shown: the view of payloads has failed: " + e.getClass().getSimpleName() + ")";
    }
  }
}
