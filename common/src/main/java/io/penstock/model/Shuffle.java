package io.penstock.model;

/** How much of the order the seed decides (ORDER.md, "Inputs"). */
public enum Shuffle {
  /** Row groups and rows as the catalog lists them. */
  NONE("none"),
  /** Row groups are dealt and ordered by the seed; rows stay as laid. */
  ROW_GROUPS("row-groups"),
  /** As {@link #ROW_GROUPS}, and the rows of each window are mixed. */
  ROWS("rows");

  private final String text;

  Shuffle(String text) {
    this.text = text;
  }

  /** The word that the feed file uses. */
  public String text() {
    return text;
  }
}
