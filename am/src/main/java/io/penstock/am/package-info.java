/** The ApplicationMaster's process: its loop, what it prepares before, and how it ends. */
package io.penstock.am;
