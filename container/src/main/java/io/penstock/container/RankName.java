package io.penstock.container;

import io.penstock.model.RankSlice;
import io.penstock.yarn.RankIdentity;

/**
 * What a rank signs its reports with.
 *
 * @param identity what its container was told
 * @param device what its batches lie on, as people read it
 */
record RankName(RankIdentity identity, RankSlice slice, String device) {}
