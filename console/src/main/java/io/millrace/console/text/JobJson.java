package io.millrace.console.text;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.api.Job;
import io.millrace.console.hook.PayloadView;
import io.millrace.describe.Description;
import io.millrace.describe.Description.Attribute;
import io.millrace.describe.Descriptions;
import io.millrace.describe.Kind;
import io.millrace.workflow.KeptStep;
import java.io.IOException;
import java.util.Optional;

/** Jobs as JSON objects, with the steps of workflows that their checkpoints keep. */
public final class JobJson {

  private static final Description<KeptStep> STEP =
      Description.<KeptStep>of(KeptStep.class)
          .with("call", Kind.TEXT, KeptStep::call)
          .with("name", Kind.TEXT, KeptStep::name)
          .with("outcome", Kind.constant(KeptStep.Outcome.class), KeptStep::outcome)
          .maybe("until", Kind.INSTANT, KeptStep::until)
          .with("failedTries", Kind.INT, KeptStep::failedTries)
          .maybe("error", Kind.TEXT, KeptStep::error)
          .build();

  /** The steps that a job has kept, as attributes of it. */
  private static final Description<Job> STEPS =
      Description.<Job>of(Job.class).with("steps", STEP.eachIfAny(), KeptStep::of).build();

  private JobJson() {}

  /** A form of an attribute that is not that of its description. */
  @FunctionalInterface
  private interface OwnForm {
    /** Writes the attribute and returns true, or returns false to have it written as described. */
    boolean write(Attribute<Job, ?> attribute) throws IOException;
  }

  /**
   * Writes a job, its payload as {@code payloadText} if that is UTF-8, else as {@code
   * payloadBase64}.
   */
  public static void write(Job job, JsonGenerator json) throws IOException {
    write(job, json, attribute -> false);
  }

  /** Writes a job whole, so that a program can make it again: its payload is in Base64, always. */
  public static void export(Job job, JsonGenerator json) throws IOException {
    write(
        job,
        json,
        attribute -> {
          boolean isPayload = attribute.accessor().equals("payload");
          if (isPayload) {
            json.writeNumberField("payloadBytes", job.payload().length);
            json.writeBinaryField("payloadBase64", job.payload());
          }
          return isPayload;
        });
  }

  /**
   * Writes a job; what an application shows in its own way is {@code payloadShown} and the like.
   */
  public static void write(Job job, JsonGenerator json, JobParts parts) throws IOException {
    json.writeStartObject();
    writeFields(job, json, parts);
    json.writeEndObject();
  }

  /** Writes the fields of {@link #write(Job, JsonGenerator, JobParts)} into an object. */
  public static void writeFields(Job job, JsonGenerator json, JobParts parts) throws IOException {
    writeFields(
        job,
        json,
        attribute -> {
          Optional<PayloadView.Part> part = parts.ownPart(attribute.accessor());
          if (part.isPresent()) {
            Optional<String> shown = parts.shown(job, part.get());
            if (shown.isPresent()) {
              json.writeStringField(attribute.told() + "Shown", shown.get());
            }
          }
          return part.isPresent();
        });
  }

  private static void write(Job job, JsonGenerator json, OwnForm own) throws IOException {
    json.writeStartObject();
    writeFields(job, json, own);
    json.writeEndObject();
  }

  private static void writeFields(Job job, JsonGenerator json, OwnForm own) throws IOException {
    for (Attribute<Job, ?> attribute : Descriptions.JOB.attributes()) {
      if (!own.write(attribute)) {
        DescribedJson.write(attribute, job, json);
      }
      if (attribute.accessor().equals("checkpointed")) {
        DescribedJson.writeAttributes(STEPS, job, json);
      }
    }
  }
}
