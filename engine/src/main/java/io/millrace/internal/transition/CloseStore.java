package io.millrace.internal.transition;

/** The last batch of an engine: the stop is clean. */
public final class CloseStore implements Transition<OpenStore.LastStop> {

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public int operationCountMax() {
    return 1;
  }

  @Override
  public long bytesMax() {
    return 2 * RowBytes.KEY;
  }

  @Override
  public OpenStore.LastStop apply(Change change) {
    OpenStore.markStop(change, OpenStore.LastStop.CLEAN);
    return OpenStore.LastStop.CLEAN;
  }
}
