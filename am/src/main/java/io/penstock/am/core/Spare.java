package io.penstock.am.core;

import java.time.Duration;

/**
 * A container that YARN gave and nothing runs in yet.
 *
 * @param since when it came, milliseconds
 * @param startable how long from then on YARN lets it be started
 */
record Spare(String container, String host, long since, Duration startable) {}
