package io.penstock.coordination.records;

/**
 * The ApplicationMaster at work: ephemeral node {@code am}.
 *
 * @param attempt number of the application attempt, from 1
 * @param address host:port of its status page
 * @param trackingUrl where people look, behind the ResourceManager's proxy
 */
public record AmRecord(int attempt, String host, long pid, String address, String trackingUrl) {}
