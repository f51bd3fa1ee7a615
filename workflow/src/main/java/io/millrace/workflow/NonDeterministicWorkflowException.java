package io.millrace.workflow;

/**
 * A workflow went another way than before: at some place it asked for something other than the
 * entry kept there. A step was removed, renamed or put elsewhere in the program, or the way depends
 * on something that changes.
 */
public final class NonDeterministicWorkflowException extends WorkflowException {

  private static final long serialVersionUID = 1L;

  private static final String REMEDY =
      ". A workflow has to go the same way each time: bring back the order and the names that its"
          + " jobs have kept, or give the changed one another type or queue; then redrive the job";

  private NonDeterministicWorkflowException(String message) {
    super(message);
  }

  static NonDeterministicWorkflowException other(
      String job, int place, String recorded, String asked) {
    return new NonDeterministicWorkflowException(
        "workflow went another way than before: job="
            + job
            + ", place="
            + place
            + ", kept "
            + recorded
            + ", asked for "
            + asked
            + REMEDY);
  }

  static NonDeterministicWorkflowException rest(
      String job, int place, String recorded, int restCount) {
    return new NonDeterministicWorkflowException(
        "workflow ended without asking for what it had done: job="
            + job
            + ", place="
            + place
            + ", kept "
            + recorded
            + ", asked for nothing, left over="
            + restCount
            + REMEDY);
  }
}
