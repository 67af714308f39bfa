package io.penstock.container.transform;

/** What a null list is when the tensor's shape is made. */
enum NullLists {
  /** Null: no {@code fill} touches the column. */
  NULL,
  /** Empty: {@code fill} comes before {@code pad}. */
  EMPTY,
  /** Empty where no {@code pad} follows, so it can't have the tensor's shape. */
  REFUSED
}
