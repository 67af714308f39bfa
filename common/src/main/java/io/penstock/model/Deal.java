package io.penstock.model;

/** Whether a lane keeps its row groups in every epoch (ORDER.md, "Inputs"). */
public enum Deal {
  /** A lane keeps its row groups, so caches stay warm. */
  FIXED("fixed"),
  /** Row groups are dealt anew in each epoch. */
  EPOCH("epoch");

  private final String text;

  Deal(String text) {
    this.text = text;
  }

  /** The word that the feed file uses. */
  public String text() {
    return text;
  }
}
