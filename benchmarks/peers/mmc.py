"""M/M/8 at 75 % in SimPy: the peer of the replay's own M/M/8. Prints calls a second of CPU time."""

import random
import time

import simpy

CALLS = 200_000


def call(env, workers):
    with workers.request() as request:
        yield request
        yield env.timeout(random.expovariate(1))


def source(env, workers):
    for _ in range(CALLS):
        yield env.timeout(random.expovariate(6))
        env.process(call(env, workers))


random.seed(1)
env = simpy.Environment()
env.process(source(env, simpy.Resource(env, capacity=8)))
start = time.process_time()
env.run()
print(f"SimPy {simpy.__version__}: {CALLS / (time.process_time() - start):.0f} calls/s a core")
