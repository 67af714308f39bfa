package io.penstock.model;

/** A cluster, a file system or ZooKeeper was not reached or gave no permission. Exit code 3. */
public final class UnreachableException extends PenstockException {
  private static final long serialVersionUID = 1L;

  public UnreachableException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public int exitCode() {
    return 3;
  }
}
