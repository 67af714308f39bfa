/** What ZooKeeper says of a job: read at once, watched, and told as text or JSON. */
package io.penstock.cli.job;
