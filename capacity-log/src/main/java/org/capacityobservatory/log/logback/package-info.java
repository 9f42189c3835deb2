/** The bounded sink as a Logback appender; needs Logback, which this module doesn't bring. */
@NullMarked
package org.capacityobservatory.log.logback;

import org.jspecify.annotations.NullMarked;
