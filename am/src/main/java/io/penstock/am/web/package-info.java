/** The job's status page and the same as JSON, behind the ResourceManager's proxy. */
package io.penstock.am.web;
