/**
 * Agents that tests can step, runners that give them named threads, a clock that tests can move,
 * deadlines that say what was waited for, and closing in reverse order.
 *
 * <p>JDK only; imports no other package of Penstock.
 */
package io.penstock.lifecycle;
