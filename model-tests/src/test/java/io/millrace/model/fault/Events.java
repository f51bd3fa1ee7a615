package io.millrace.model.fault;

import io.millrace.api.EngineListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What an engine said became of it, in order. Any thread. */
final class Events implements EngineListener {

  private final List<String> said = new CopyOnWriteArrayList<>();

  List<String> said() {
    return List.copyOf(said);
  }

  @Override
  public void poisoned(Throwable cause) {
    said.add("poisoned");
  }

  @Override
  public void reopened() {
    said.add("reopened");
  }

  @Override
  public void full(Throwable cause) {
    said.add("full");
  }

  @Override
  public void roomAgain() {
    said.add("room again");
  }

  @Override
  public String toString() {
    return said.toString();
  }
}
