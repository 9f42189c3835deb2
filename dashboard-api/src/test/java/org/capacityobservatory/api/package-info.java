@NullMarked
package org.capacityobservatory.api;

import org.jspecify.annotations.NullMarked;
