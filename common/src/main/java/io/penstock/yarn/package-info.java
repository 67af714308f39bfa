/**
 * What submitting and the ApplicationMaster share of YARN: a job's files, launch contexts,
 * resources, tokens, and exit statuses in words.
 */
package io.penstock.yarn;
