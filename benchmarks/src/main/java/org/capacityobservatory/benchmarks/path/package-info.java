/** Measures the whole path, all of its processes. */
@NullMarked
package org.capacityobservatory.benchmarks.path;

import org.jspecify.annotations.NullMarked;
