package io.penstock.model;

/**
 * One consumer of W: rank r delivers places r*B/W up to, not including, (r+1)*B/W of every global
 * batch.
 *
 * @param rank r, 0 &lt;= r &lt; W
 * @param ranks W
 */
public record RankSlice(int rank, int ranks) {
  public RankSlice {
    if (ranks < 1 || rank < 0 || rank >= ranks) {
      throw new IllegalArgumentException(
          "must be 0 <= rank < ranks: rank=" + rank + " ranks=" + ranks);
    }
  }

  /**
   * Checks that W divides the global batch.
   *
   * @throws UsageException if it does not
   */
  public static void check(int ranks, int batch) {
    if (ranks < 1 || batch % ranks != 0) {
      throw new UsageException("ranks must divide batch: ranks=" + ranks + " batch=" + batch);
    }
  }

  /** First place of the global batch that this rank delivers. */
  public int from(int batch) {
    return rank * (batch / ranks);
  }

  /** One past the last place of the global batch that this rank delivers. */
  public int to(int batch) {
    return (rank + 1) * (batch / ranks);
  }
}
