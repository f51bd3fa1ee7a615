package io.millrace.management;

/** How values were spread. */
public interface DistributionSnapshot {

  long getCount();

  long getSum();

  long getP50();

  long getP90();

  long getP99();

  long getMax();
}
