/** Benchmarks of the replay and the sweep, beside what they measure. */
@NullMarked
package org.capacityobservatory.calibration;

import org.jspecify.annotations.NullMarked;
