package io.penstock.coordination.records;

/**
 * A row group whose rows are delivered as not valid because its content is bad.
 *
 * @param rowGroup its index in the catalog
 * @param file full path
 * @param ordinal the row group's ordinal within its file
 * @param rows rows of the row group
 * @param reason what is wrong with it
 */
public record Quarantined(int rowGroup, String file, int ordinal, long rows, String reason) {}
