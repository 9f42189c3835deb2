@NullMarked
package org.capacityobservatory.calibration;

import org.jspecify.annotations.NullMarked;
