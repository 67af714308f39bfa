/**
 * ZooKeeper as typed records, watches, claims and fenced writes; the only importer of Curator.
 *
 * <p>{@code Layout} draws the nodes.
 */
package io.penstock.coordination;
