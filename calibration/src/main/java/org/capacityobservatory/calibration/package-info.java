/** Replays recorded demand against candidate limits, and says how sure it is. */
@NullMarked
package org.capacityobservatory.calibration;

import org.jspecify.annotations.NullMarked;
