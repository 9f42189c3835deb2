/** Alarm rules as YAML with Prometheus's grammar, and the check of their form. */
@NullMarked
package org.capacityobservatory.alarms;

import org.jspecify.annotations.NullMarked;
