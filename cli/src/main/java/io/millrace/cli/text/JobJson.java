package io.millrace.cli.text;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.api.Job;
import io.millrace.describe.Description;
import io.millrace.describe.Description.Attribute;
import io.millrace.describe.Descriptions;
import io.millrace.describe.Kind;
import io.millrace.workflow.KeptStep;
import java.io.IOException;

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

  /**
   * Writes a job, its payload as {@code payloadText} if that is UTF-8, else as {@code
   * payloadBase64}.
   */
  public static void write(Job job, JsonGenerator json) throws IOException {
    write(job, json, false);
  }

  /** Writes a job whole, so that a program can make it again: its payload is in Base64, always. */
  public static void export(Job job, JsonGenerator json) throws IOException {
    write(job, json, true);
  }

  private static void write(Job job, JsonGenerator json, boolean isInBase64) throws IOException {
    json.writeStartObject();
    for (Attribute<Job, ?> attribute : Descriptions.JOB.attributes()) {
      if (isInBase64 && attribute.accessor().equals("payload")) {
        json.writeNumberField("payloadBytes", job.payload().length);
        json.writeBinaryField("payloadBase64", job.payload());
      } else {
        DescribedJson.write(attribute, job, json);
      }
      if (attribute.accessor().equals("checkpointed")) {
        DescribedJson.writeAttributes(STEPS, job, json);
      }
    }
    json.writeEndObject();
  }
}
