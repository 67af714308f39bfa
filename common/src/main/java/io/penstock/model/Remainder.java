package io.penstock.model;

/** What happens to the rows that do not fill a last batch (ORDER.md, "Steps"). */
public enum Remainder {
  /** They are left out of this epoch. */
  DROP("drop"),
  /** The last batch is filled with rows that are marked not valid. */
  PAD("pad");

  private final String text;

  Remainder(String text) {
    this.text = text;
  }

  /** The word that the feed file uses. */
  public String text() {
    return text;
  }
}
