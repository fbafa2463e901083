"""All engines at the same time on one processor, for machines whose speed changes from second to second.

Where others share the machine, its processors may be half as fast for seconds, and medians of runs that follow each other are off by 10 %. Engines
that take turns on one processor, some milliseconds each, meet the same of it: the same engine twice then differs by less than 1 %.
"""

import os
import threading


def sample_together(sample, names, runs):
    """Lists by name of what `sample(name)` returned: one run after the other of each, those of different names at the same time."""
    samples = {name: [] for name in names}
    processor = min(os.sched_getaffinity(0))

    def run_all(name):
        os.sched_setaffinity(0, {processor})  # of this thread, and of the processes that it starts
        for _ in range(runs):
            samples[name].append(sample(name))

    threads = [threading.Thread(target=run_all, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return samples
