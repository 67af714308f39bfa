/**
 * What {@code bench/run} measures of Penstock: workers that make one pass when they are told to,
 * and JMH benchmarks of single steps.
 */
package io.penstock.bench;
