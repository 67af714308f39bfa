/** The ResourceManager and the NodeManagers, as events for the one loop and as commands from it. */
package io.penstock.am.cluster;
