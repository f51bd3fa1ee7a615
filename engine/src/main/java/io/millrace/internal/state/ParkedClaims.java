package io.millrace.internal.state;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The claims that wait, in the order in which they stop waiting, and those of them that go on with
 * the next batch whatever happens. The queues themselves know which claims wait for them ({@link
 * WorkingSet#park}).
 */
public final class ParkedClaims {

  private final TreeSet<ParkedClaim> all = new TreeSet<>(ParkedClaim::compareDeadlines);
  private final Set<ParkedClaim> unfinished = new LinkedHashSet<>();

  ParkedClaims() {}

  /** Returns the claims of both in order of arrival, in which each has its own. */
  static Iterable<ParkedClaim> inOrderOfArrival(
      Iterable<ParkedClaim> some, Iterable<ParkedClaim> others) {
    return () -> new Merged(some.iterator(), others.iterator());
  }

  /** An iterator over both that takes no more claims of them than it is asked for. */
  private static final class Merged implements Iterator<ParkedClaim> {
    private final Iterator<ParkedClaim> some;
    private final Iterator<ParkedClaim> others;
    private @Nullable ParkedClaim ofSome;
    private @Nullable ParkedClaim ofOthers;

    Merged(Iterator<ParkedClaim> some, Iterator<ParkedClaim> others) {
      this.some = some;
      this.others = others;
      ofSome = next(some);
      ofOthers = next(others);
    }

    private static @Nullable ParkedClaim next(Iterator<ParkedClaim> claims) {
      return claims.hasNext() ? claims.next() : null;
    }

    @Override
    public boolean hasNext() {
      return ofSome != null || ofOthers != null;
    }

    @Override
    public ParkedClaim next() {
      ParkedClaim one = ofSome;
      ParkedClaim other = ofOthers;
      if (one != null && (other == null || one.arrival() < other.arrival())) {
        ofSome = next(some);
        return one;
      }
      if (other == null) {
        throw new NoSuchElementException("all claims were taken");
      }
      ofOthers = next(others);
      return other;
    }
  }

  void add(ParkedClaim claim) {
    all.add(claim);
  }

  void remove(ParkedClaim claim) {
    all.remove(claim);
    unfinished.remove(claim);
  }

  public int count() {
    return all.size();
  }

  public boolean contains(ParkedClaim claim) {
    return all.contains(claim);
  }

  /** Returns all claims that wait, in the order in which they stop waiting. */
  public Collection<ParkedClaim> all() {
    return all;
  }

  /** Returns the claim that stops waiting first, or null. */
  public @Nullable ParkedClaim first() {
    return all.isEmpty() ? null : all.first();
  }

  /** Returns the claim that stops waiting next after this one, or null. */
  public @Nullable ParkedClaim after(ParkedClaim claim) {
    return all.higher(claim);
  }

  /** Marks a claim that waits as unfinished: it goes on with the next batch, whatever happens. */
  public void markUnfinished(ParkedClaim claim) {
    unfinished.add(claim);
  }

  public boolean isUnfinished(ParkedClaim claim) {
    return !unfinished.isEmpty() && unfinished.contains(claim);
  }

  public boolean hasUnfinished() {
    return !unfinished.isEmpty();
  }

  /**
   * Returns the unfinished claims, in the order in which they were marked, and clears their list.
   */
  public List<ParkedClaim> takeUnfinished() {
    List<ParkedClaim> taken = List.copyOf(unfinished);
    unfinished.clear();
    return taken;
  }
}
