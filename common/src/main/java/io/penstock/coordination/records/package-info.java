/**
 * The records that the ApplicationMaster, the containers and the commands leave for each other in
 * ZooKeeper: plain values and the arithmetic on them, no input or output.
 */
package io.penstock.coordination.records;
