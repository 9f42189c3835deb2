/** The HTTP API over what the pipeline has stored, and the server of the page. */
@NullMarked
package org.capacityobservatory.api;

import org.jspecify.annotations.NullMarked;
