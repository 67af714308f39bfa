package io.penstock.container;

import io.penstock.model.RankSlice;

/**
 * Who a rank is in its reports.
 *
 * @param device what its batches lie on, as people read it
 */
record RankIdentity(
    String feed, RankSlice slice, int generation, String container, String host, String device) {}
