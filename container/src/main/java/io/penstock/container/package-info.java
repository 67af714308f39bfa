/**
 * One rank: watches its assignment, wires the data plane, trains, and reports. The same chain runs
 * without YARN and ZooKeeper for local commands.
 */
package io.penstock.container;
