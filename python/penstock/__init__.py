"""Penstock for Python: the order contract, recomputed without a JVM (see :mod:`penstock.order`)."""
