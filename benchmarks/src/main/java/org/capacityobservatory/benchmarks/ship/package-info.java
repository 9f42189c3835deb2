/** Measures the file shipper beside its peers, each in a process of its own. */
@NullMarked
package org.capacityobservatory.benchmarks.ship;

import org.jspecify.annotations.NullMarked;
