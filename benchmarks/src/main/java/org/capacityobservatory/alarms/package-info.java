/** The evaluator of the alarms, measured. */
@NullMarked
package org.capacityobservatory.alarms;

import org.jspecify.annotations.NullMarked;
