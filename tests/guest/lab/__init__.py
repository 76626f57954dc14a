"""The NUMA laboratory: virtual machines with several nodes, and a counter of their accesses."""
