/** Benchmarks of the sink, beside its peers. */
@NullMarked
package org.capacityobservatory.log.sink;

import org.jspecify.annotations.NullMarked;
