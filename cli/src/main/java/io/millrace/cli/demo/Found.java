package io.millrace.cli.demo;

/**
 * Something that a {@link FolderWalk} came by.
 *
 * @param sizeBytes how large a file is; zero for anything else
 * @param modifiedNs when a file was last changed, in nanoseconds since 1970; zero for anything else
 */
record Found(Kind kind, FileName name, long sizeBytes, long modifiedNs) {

  /** What it is. */
  enum Kind {
    /** A regular file: one job. */
    FILE,
    /**
     * A folder that cannot be listed, or something that cannot be looked at: a job, too, so that it
     * is not passed over.
     */
    UNREADABLE,
    /**
     * A symbolic link: skipped, for what it leads to is hashed where it is, or does not belong to
     * the folder.
     */
    LINK,
    /** A device, pipe or socket: skipped. */
    SPECIAL
  }

  static Found of(Kind kind, FileName name) {
    return new Found(kind, name, 0, 0);
  }

  boolean isJob() {
    return kind == Kind.FILE || kind == Kind.UNREADABLE;
  }
}
