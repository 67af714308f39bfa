/**
 * The ApplicationMaster's decisions as a state machine: an event in, actions out; no input or
 * output, no clock, no threads.
 */
package io.penstock.am.core;
