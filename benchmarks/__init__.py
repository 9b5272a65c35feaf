"""One script per workload: ratios between programs that took turns in one run, never bare times.

``./lab bench`` runs every workload, ``./lab bench w1 w4`` some of them.
"""
