/**
 * HDFS, YARN and ZooKeeper on one machine, in a JVM of their own on Hadoop's unshaded jars, and the
 * {@code rides} dataset. Others reach the cluster through the configuration folder that it writes,
 * and through nothing else.
 */
package io.penstock.cluster;
